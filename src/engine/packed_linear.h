// A linear layer with its weights laid out as the kernels read them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/aligned_array.h"
#include "kernels/inference.h"

namespace xformer {

/// How weights are stored and multiplied.
enum class WeightType { kFloat32, kInt8 };

/// What the engine's parts are built for.
struct EngineTarget {
  InstructionSet instructions = best_instruction_set();
  WeightType weights = WeightType::kFloat32;
  /// With float32: whether a search will ask for the best piece of each row alone.
  bool screens = false;

  const InferenceKernels& kernels() const { return inference_kernels(instructions); }
  /// Whether attention reads keys and values in bfloat16.
  bool rounds_keys() const { return weights == WeightType::kInt8; }
};

/// Four bytes of one output's weights, as InferenceKernels read them.
using Cell = std::array<std::byte, 4>;

/// Rows of a weight matrix with their biases. weight (outputs, inputs), bias (outputs) or null: 0
struct LinearPart {
  const float* weight = nullptr;
  const float* bias = nullptr;
  int64_t outputs = 0;
};

/// x W^T + b, (rows, inputs) -> (rows, outputs). For int8 every row of W and every row of x has a
/// scale of its own, so that its numbers fill the range that the kernels allow: no row's result
/// depends on another.
class PackedLinear {
 public:
  PackedLinear() = default;
  /// The parts' outputs side by side.
  PackedLinear(const std::vector<LinearPart>& parts, int64_t inputs, const EngineTarget& target);

  int64_t inputs() const { return panels_.inputs; }
  int64_t outputs() const { return panels_.outputs; }
  const EngineTarget& target() const { return target_; }

  /// All outputs, or those of `range`: see InferenceKernels::linear. An InputPreparer for the same
  /// target made x.
  void apply(const InputRows& x, const OutputRows& out) const;
  void apply(const InputRows& x, OutputRange range, const OutputRows& out) const;

  /// The layer with the given outputs alone, in the given order.
  PackedLinear select_outputs(std::span<const int32_t> outputs) const;
  /// The weights of one output of an int8 layer, as they were rounded. out (inputs)
  void unpack_row(int64_t output, std::span<float> out) const;
  void set_bias(int64_t output, float value) { bias_.data()[output] = value; }

 private:
  PackedLinear(int64_t inputs, int64_t outputs, const EngineTarget& target);
  /// The cells of one output; those of a row of weights (inputs), whose scale and sum are noted.
  std::vector<Cell> cells_of(int64_t output) const;
  std::vector<Cell> packed_row(const float* weight, int64_t output);
  void put_cells(std::span<const Cell> cells, int64_t output);
  int64_t place_of(int64_t output) const;

  EngineTarget target_;
  AlignedArray<Cell> weights_;
  AlignedArray<float> scales_, bias_;
  AlignedArray<int32_t> sums_;
  PackedPanels panels_;
};

/// Makes rows ready for a PackedLinear, and owns what that takes.
class InputPreparer {
 public:
  explicit InputPreparer(const EngineTarget& target) : target_(target) {}

  /// x (rows, size). The result is valid until the next call.
  InputRows prepare(const float* x, int64_t rows, int64_t size);

 private:
  EngineTarget target_;
  AlignedArray<uint8_t> packed_;
  AlignedArray<Rounding> roundings_;
};

}  // namespace xformer
