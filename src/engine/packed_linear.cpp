#include "engine/packed_linear.h"

#include <algorithm>
#include <cmath>
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
  const int64_t padded = rounded_up(outputs, target.kernels().panel_width);
  std::fill_n(bias_.reserve(padded), padded, 0.0F);
  panels_ = {.inputs = inputs, .outputs = outputs, .bias = bias_.data()};
  if (target.weights == WeightType::kFloat32) {
    panels_.weights = weights_.reserve(padded * inputs);
    std::fill_n(weights_.data() + (outputs - outputs % target.kernels().panel_width) * inputs,
                outputs == padded ? 0 : target.kernels().panel_width * inputs, 0.0F);
  } else {
    const int64_t bytes = padded * rounded_up(inputs, kInputGroup);
    panels_.quantized = quantized_.reserve(bytes);
    std::fill_n(quantized_.data(), bytes, int8_t{0});
    panels_.scales = scales_.reserve(padded);
    std::fill_n(scales_.data(), padded, 0.0F);
    panels_.sums = sums_.reserve(padded);
    std::fill_n(sums_.data(), padded, 0);
  }
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
    for (int64_t row = 0; row < part.outputs; ++row) {
      pack_row(part.weight + row * inputs, output++);
    }
  }
}

void PackedLinear::pack_row(const float* weight, int64_t output) {
  const int64_t width = target_.kernels().panel_width, inputs = panels_.inputs;
  const int64_t column = output % width;
  if (target_.weights == WeightType::kFloat32) {
    float* panel = weights_.data() + (output - column) * inputs;
    for (int64_t i = 0; i < inputs; ++i) panel[i * width + column] = weight[i];
    return;
  }
  const int64_t padded = rounded_up(inputs, kInputGroup);
  std::vector<int8_t> row(static_cast<size_t>(padded));
  std::vector<float> whole_groups(row.size());
  std::copy_n(weight, inputs, whole_groups.begin());
  scales_.data()[output] = quantize_weights(whole_groups, row);
  sums_.data()[output] = std::accumulate(row.begin(), row.end(), 0);
  int8_t* panel = quantized_.data() + (output - column) * padded;
  for (int64_t i = 0; i < padded; ++i) panel[(i / 4 * width + column) * 4 + i % 4] = row[i];
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
  for (size_t i = 0; i < outputs.size(); ++i) {
    selected.copy_row(*this, outputs[i], static_cast<int64_t>(i));
  }
  return selected;
}

void PackedLinear::unpack_row(int64_t output, std::span<float> out) const {
  const int64_t width = target_.kernels().panel_width, column = output % width;
  const int8_t* panel =
      quantized_.data() + (output - column) * rounded_up(panels_.inputs, kInputGroup);
  for (int64_t i = 0; i < panels_.inputs; ++i) {
    out[i] =
        static_cast<float>(panel[(i / 4 * width + column) * 4 + i % 4]) * scales_.data()[output];
  }
}

void PackedLinear::copy_row(const PackedLinear& from, int64_t from_output, int64_t output) {
  const int64_t width = target_.kernels().panel_width;
  const int64_t column = output % width, from_column = from_output % width;
  bias_.data()[output] = from.bias_.data()[from_output];
  if (target_.weights == WeightType::kFloat32) {
    const int64_t inputs = panels_.inputs;
    float* to = weights_.data() + (output - column) * inputs + column;
    const float* row = from.weights_.data() + (from_output - from_column) * inputs + from_column;
    for (int64_t i = 0; i < inputs; ++i) to[i * width] = row[i * width];
    return;
  }
  const int64_t padded = rounded_up(panels_.inputs, kInputGroup);
  int8_t* to = quantized_.data() + (output - column) * padded + column * 4;
  const int8_t* row =
      from.quantized_.data() + (from_output - from_column) * padded + from_column * 4;
  for (int64_t i = 0; i < padded / 4; ++i) std::copy_n(row + i * width * 4, 4, to + i * width * 4);
  scales_.data()[output] = from.scales_.data()[from_output];
  sums_.data()[output] = from.sums_.data()[from_output];
}

InputRows InputPreparer::prepare(const float* x, int64_t rows, int64_t size) {
  InputRows input{.values = x, .count = rows, .stride = size};
  if (target_.weights == WeightType::kFloat32) return input;
  const int64_t stride = rounded_up(size, kInputGroup);
  uint8_t* quantized = quantized_.reserve(rows * stride);
  Rounding* roundings = roundings_.reserve(rows);
  for (int64_t row = 0; row < rows; ++row) {
    roundings[row] = target_.kernels().quantize(x + row * size, size, quantized + row * stride);
  }
  input.quantized = quantized;
  input.quantized_stride = stride;
  input.roundings = roundings;
  return input;
}

}  // namespace xformer
