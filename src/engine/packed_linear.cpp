#include "engine/packed_linear.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace xformer {
namespace {

int64_t rounded_up(int64_t size, int64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

/// The largest sum of what kLargestWeightSum limits, of whole groups. Of positive and of negative
/// numbers, the larger sum is half of what their sizes' sum and their sum's size add up to: it
/// takes no branch on signs, which are as good as random.
float largest_sum(std::span<const float> weights) {
  float largest = 0;
  for (size_t begin = 0; begin < weights.size(); begin += kInputGroup) {
    for (const size_t pair : {0, 2}) {
      float sum = 0, sizes = 0;
      for (size_t i = begin + pair; i < begin + kInputGroup; i += 4) {
        sum += weights[i] + weights[i + 1];
        sizes += std::abs(weights[i]) + std::abs(weights[i + 1]);
      }
      largest = std::max(largest, (sizes + std::abs(sum)) / 2);
    }
  }
  return largest;
}

/// Rounds to whole numbers times the scale that it returns.
float quantize_weights(std::span<const float> weights, std::span<int8_t> out) {
  float largest = 0;
  for (const float weight : weights) largest = std::max(largest, std::abs(weight));
  if (largest == 0) return 0;
  // Each of the weights of a sum may be rounded up by a half.
  constexpr float kRoundedUp = kInputGroup / 2 * 0.5F;
  const float scale =
      std::max(largest / kLargestWeight, largest_sum(weights) / (kLargestWeightSum - kRoundedUp));
  const float inverse = 1 / scale;
  for (size_t i = 0; i < weights.size(); ++i) {
    out[i] = static_cast<int8_t>(std::lrint(weights[i] * inverse));
  }
  return scale;
}

}  // namespace

PackedLinear::PackedLinear(int64_t inputs, int64_t outputs, const EngineTarget& target)
    : target_(target) {
  const int64_t width = target.kernels().panel_width, padded = rounded_up(outputs, width);
  const bool int8 = target.weights == WeightType::kInt8;
  const int64_t cells = int8 ? rounded_up(inputs, kTileBytes) / std::ssize(Cell{}) : inputs;
  std::fill_n(bias_.reserve(padded), padded, 0.0F);
  weights_.reserve(padded * cells);
  std::fill_n(weights_.data() + outputs / width * width * cells,
              outputs % width == 0 ? 0 : width * cells, Cell{});
  panels_ = {.inputs = inputs,
             .outputs = outputs,
             .cells = cells,
             .weights = weights_.data(),
             .bias = bias_.data()};
  if (!int8) return;
  panels_.scales = scales_.reserve(padded);
  std::fill_n(scales_.data(), padded, 0.0F);
  panels_.sums = sums_.reserve(padded);
  std::fill_n(sums_.data(), padded, 0);
}

PackedLinear::PackedLinear(const std::vector<LinearPart>& parts, int64_t inputs,
                           const EngineTarget& target)
    : PackedLinear(inputs,
                   std::accumulate(parts.begin(), parts.end(), int64_t{0},
                                   [](int64_t sum, auto& part) { return sum + part.outputs; }),
                   target) {
  int64_t output = 0;
  for (const auto& part : parts) {
    if (part.bias) std::copy_n(part.bias, part.outputs, bias_.data() + output);
    for (int64_t row = 0; row < part.outputs; ++row, ++output) {
      put_cells(packed_row(part.weight + row * inputs, output), output);
    }
  }
}

std::vector<Cell> PackedLinear::packed_row(const float* weight, int64_t output) {
  const int64_t inputs = panels_.inputs;
  std::vector<Cell> cells(static_cast<size_t>(panels_.cells));
  if (target_.weights == WeightType::kInt8) {
    std::vector<float> whole_groups(sizeof(Cell) * cells.size());
    std::copy_n(weight, inputs, whole_groups.begin());
    std::vector<int8_t> row(whole_groups.size());
    scales_.data()[output] = quantize_weights(whole_groups, row);
    sums_.data()[output] = std::accumulate(row.begin(), row.end(), 0);
    std::memcpy(cells.data(), row.data(), row.size());
  } else {
    std::memcpy(cells.data(), weight, sizeof(Cell) * cells.size());
  }
  return cells;
}

/// Of an output's first cell; the next one lies a panel's width further.
int64_t PackedLinear::place_of(int64_t output) const {
  const int64_t column = output % target_.kernels().panel_width;
  return (output - column) * panels_.cells + column;
}

void PackedLinear::put_cells(std::span<const Cell> cells, int64_t output) {
  Cell* to = weights_.data() + place_of(output);
  for (const auto& cell : cells) {
    *to = cell;
    to += target_.kernels().panel_width;
  }
}

std::vector<Cell> PackedLinear::cells_of(int64_t output) const {
  std::vector<Cell> cells(static_cast<size_t>(panels_.cells));
  const Cell* from = weights_.data() + place_of(output);
  for (auto& cell : cells) {
    cell = *from;
    from += target_.kernels().panel_width;
  }
  return cells;
}

void PackedLinear::apply(const InputRows& x, const OutputRows& out) const {
  apply(x, {0, panels_.outputs}, out);
}

void PackedLinear::apply(const InputRows& x, OutputRange range, const OutputRows& out) const {
  const auto& kernels = target_.kernels();
  const bool int8 = target_.weights == WeightType::kInt8;
  (int8 ? kernels.linear_int8 : kernels.linear)(x, panels_, range, out);
}

PackedLinear PackedLinear::select_outputs(std::span<const int32_t> outputs) const {
  PackedLinear selected(panels_.inputs, std::ssize(outputs), target_);
  for (int64_t output = 0; output < std::ssize(outputs); ++output) {
    const int32_t from = outputs[output];
    selected.put_cells(cells_of(from), output);
    selected.bias_.data()[output] = bias_.data()[from];
    if (target_.weights == WeightType::kFloat32) continue;
    selected.scales_.data()[output] = scales_.data()[from];
    selected.sums_.data()[output] = sums_.data()[from];
  }
  return selected;
}

void PackedLinear::unpack_row(int64_t output, std::span<float> out) const {
  const auto cells = cells_of(output);
  for (size_t i = 0; i < out.size(); ++i) {
    const auto weight = std::to_integer<int8_t>(cells[i / 4][i % 4]);
    out[i] = static_cast<float>(weight) * scales_.data()[output];
  }
}

InputRows InputPreparer::prepare(const float* x, int64_t rows, int64_t size) {
  InputRows input{.values = x, .count = rows, .stride = size};
  if (target_.weights == WeightType::kFloat32) return input;
  input.packed_stride = rounded_up(size, kTileBytes);
  uint8_t* packed = packed_.reserve((rows + kTileRows - 1) * input.packed_stride);
  input.packed = packed;
  Rounding* roundings = roundings_.reserve(rows);
  input.roundings = roundings;
  for (int64_t row = 0; row < rows; ++row, packed += input.packed_stride) {
    roundings[row] = target_.kernels().quantize(x + row * size, size, packed);
  }
  return input;
}

}  // namespace xformer
