#include "engine/generator_screen.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace xformer {
namespace {

/// Rounded logits are made and looked at in blocks of so many rows and columns.
constexpr int64_t kScreenRows = 132, kScreenColumns = 256;
/// What a sum of so many products in float32 may be off by, relative to |x| |w|; twice as much, and
/// a little more, for the products' own rounding.
float sum_error(int64_t products) {
  return static_cast<float>(products + 4) * 0x1p-23F;
}

float length_of(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * value;
  return static_cast<float>(std::sqrt(sum));
}

}  // namespace

GeneratorScreen::GeneratorScreen(const LinearPart& generator, int64_t inputs,
                                 InstructionSet instructions)
    : rounded({generator}, inputs, {.instructions = instructions, .weights = WeightType::kInt8}) {
  const int64_t width = inference_kernels(instructions).panel_width;
  norms.resize(static_cast<size_t>((generator.outputs + width - 1) / width));
  errors.resize(norms.size());
  std::vector<float> error(static_cast<size_t>(inputs));
  for (int64_t output = 0; output < generator.outputs; ++output) {
    const std::span weight(generator.weight + output * inputs, error.size());
    rounded.unpack_row(output, error);
    for (size_t i = 0; i < error.size(); ++i) error[i] = weight[i] - error[i];
    auto &norm = norms[output / width], &largest = errors[output / width];
    norm = std::max(norm, length_of(weight));
    largest = std::max(largest, length_of(error));
  }
}

std::vector<BestOutput> ScreenedSearch::best(const GeneratorScreen& screen,
                                             const PackedLinear& generator, const InputRows& x) {
  const int64_t inputs = generator.inputs();
  rounded_ = preparer_.prepare(x.values, x.count, inputs);
  lengths_.resize(static_cast<size_t>(x.count));
  errors_.resize(lengths_.size());
  for (int64_t row = 0; row < x.count; ++row) {
    const auto lengths = generator.target().kernels().row_lengths(
        x.values + row * x.stride, rounded_.packed + row * rounded_.packed_stride,
        rounded_.roundings[row], inputs);
    // The lengths are sums in float32 themselves.
    const float slack = 1 + sum_error(inputs);
    lengths_[row] = lengths.rounded * slack;
    errors_[row] = (lengths.error + sum_error(inputs) * lengths.exact) * slack;
  }
  std::vector<BestOutput> found(static_cast<size_t>(x.count),
                                {.id = -1, .logit = -std::numeric_limits<float>::infinity()});
  for (int64_t first = 0; first < x.count; first += kScreenRows)
    scan(screen, generator, x, first, found);
  return found;
}

/// Takes in the logits of a block of rows. For x near x' and w near w', Cauchy and Schwarz say
/// |x w - x' w'| <= |x - x'| |w| + |x'| |w - w'|.
void ScreenedSearch::scan(const GeneratorScreen& screen, const PackedLinear& generator,
                          const InputRows& x, int64_t first, std::vector<BestOutput>& found) {
  const auto& kernels = generator.target().kernels();
  const int64_t width = kernels.panel_width, outputs = generator.outputs();
  const int64_t rows = std::min(kScreenRows, x.count - first);
  float* logits = logits_.reserve(kScreenRows * kScreenColumns);
  largest_.reserve(kScreenColumns / width);
  for (int64_t column = 0; column < outputs; column += kScreenColumns) {
    const int64_t columns = std::min(kScreenColumns, outputs - column);
    screen.rounded.apply(rounded_.part(first, rows), {column, columns},
                         {.values = logits, .stride = kScreenColumns});
    for (int64_t row = first; row < first + rows; ++row) {
      const float* values = logits + (row - first) * kScreenColumns;
      auto& best = found[row];
      kernels.largest_of_panels(values, columns, largest_.data());
      for (int64_t begin = 0; begin < columns; begin += width) {
        const int64_t at = (column + begin) / width;
        const float bound = largest_.data()[begin / width] + errors_[row] * screen.norms[at] +
                            lengths_[row] * screen.errors[at];
        if (bound > best.logit) take_panel(generator, x.part(row, 1), column + begin, best);
      }
    }
  }
}

/// Lets the exact logits of one panel decide.
void ScreenedSearch::take_panel(const PackedLinear& generator, const InputRows& row, int64_t first,
                                BestOutput& best) {
  const int64_t width = generator.target().kernels().panel_width;
  const int64_t count = std::min(width, generator.outputs() - first);
  float* panel = panel_.reserve(width);
  generator.apply(row, {first, count}, {.values = panel, .stride = width});
  const float* largest = std::max_element(panel, panel + count);
  if (!(*largest > best.logit)) return;
  best = {.id = static_cast<int32_t>(first + (largest - panel)), .logit = *largest};
}

}  // namespace xformer
