// Packed linear layers on every instruction set that this machine has, against plain loops in
// double precision.
#include "engine/packed_linear.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "catch.h"
#include "random_numbers.h"

namespace xformer {
namespace {

struct Case {
  int64_t rows, inputs, outputs;
};

/// Sizes around the kernels' blocks.
const std::vector<Case> kCases = {{1, 1, 1},    {1, 8, 16},   {2, 5, 31},  {3, 64, 33},
                                  {4, 13, 32},  {5, 256, 48}, {6, 7, 100}, {13, 96, 65},
                                  {29, 64, 64}, {77, 200, 70}};

double product(const std::vector<float>& x, const std::vector<float>& w, const Case& size,
               int64_t row, int64_t output) {
  double sum = 0;
  for (int64_t i = 0; i < size.inputs; ++i) {
    sum += static_cast<double>(x[row * size.inputs + i]) * w[output * size.inputs + i];
  }
  return sum;
}

/// What int8 makes of a row of inputs: the whole range from the least to the largest.
std::vector<float> rounded_inputs(const std::vector<float>& values, int64_t width) {
  std::vector<float> result(values.size());
  for (size_t begin = 0; begin < values.size(); begin += width) {
    const auto row = values.begin() + begin;
    const float least = std::min(0.0F, *std::min_element(row, row + width));
    const float range = std::max(0.0F, *std::max_element(row, row + width)) - least;
    const float inverse = kLargestInput / range, zero = std::nearbyint(-least * inverse);
    for (int64_t i = 0; i < width; ++i) {
      const float whole = std::min(std::nearbyint(row[i] * inverse), kLargestInput - zero);
      result[begin + i] = whole * (range / kLargestInput);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("linear layers equal the plain product, with activation, residual and any rows") {
  for (const auto set : instruction_sets()) {
    for (const auto type : {WeightType::kFloat32, WeightType::kInt8}) {
      for (const auto& size : kCases) {
        CAPTURE(to_string(set), type == WeightType::kInt8, size.rows, size.inputs, size.outputs);
        const EngineTarget target{.instructions = set, .weights = type};
        auto x = random_numbers(size.rows * size.inputs, 1);
        auto w = random_numbers(size.outputs * size.inputs, 2);
        const auto bias = random_numbers(size.outputs, 3);
        auto out = random_numbers(size.rows * size.outputs, 4);
        const auto residual = out;
        const PackedLinear layer({{w.data(), bias.data(), size.outputs}}, size.inputs, target);
        InputPreparer preparer(target);
        layer.apply(
            preparer.prepare(x.data(), size.rows, size.inputs),
            {.values = out.data(), .stride = size.outputs, .relu = true, .residual = out.data()});
        if (type == WeightType::kInt8) {
          x = rounded_inputs(x, size.inputs);
          for (int64_t output = 0; output < size.outputs; ++output) {
            const auto row = std::span(w).subspan(output * size.inputs, size.inputs);
            layer.unpack_row(output, row);
          }
        }
        for (int64_t row = 0; row < size.rows; ++row) {
          for (int64_t output = 0; output < size.outputs; ++output) {
            const int64_t at = row * size.outputs + output;
            const double linear = product(x, w, size, row, output) + bias[output];
            REQUIRE(out[at] == Approx(std::max(linear, 0.0) + residual[at]).margin(1e-4));
          }
        }
      }
    }
  }
}

TEST_CASE("int8 weights are as near as the limit of a group's sums allows, and 127 steps") {
  const int64_t inputs = 4 * kInputGroup;
  auto weights = random_numbers(2 * inputs, 1);
  for (int64_t i = 0; i < inputs; ++i) weights[i] = std::abs(weights[i]);  // large sums
  weights[inputs] = 50;                                                    // a large number
  const EngineTarget target{.weights = WeightType::kInt8};
  const PackedLinear layer({{weights.data(), nullptr, 2}}, inputs, target);
  float sums[4][2] = {};
  for (int64_t i = 0; i < inputs; ++i) sums[i / kInputGroup][i / 2 % 2] += weights[i];
  const float largest = *std::max_element(sums[0], sums[0] + 8);
  const float steps[] = {largest / (kLargestWeightSum - kInputGroup / 4.0F), 50.0F / 127};
  std::vector<float> rounded(inputs);
  for (int64_t output = 0; output < 2; ++output) {
    layer.unpack_row(output, rounded);
    for (int64_t i = 0; i < inputs; ++i) {
      CHECK(rounded[i] == Approx(weights[output * inputs + i]).margin(0.501 * steps[output]));
    }
  }
}

TEST_CASE("int8 products are exact where sums are as large as they may be") {
  const int64_t inputs = 64, outputs = 20;
  std::vector<float> x(inputs, 1.0F), w(inputs * outputs), out(outputs);
  for (int64_t i = 0; i < inputs * outputs; ++i) {
    w[i] = i / inputs % 2 == 0 ? 1.0F : (i % 4 < 2 ? -0.5F : 0.25F);
  }
  for (const auto set : instruction_sets()) {
    CAPTURE(to_string(set));
    const EngineTarget target{.instructions = set, .weights = WeightType::kInt8};
    const PackedLinear layer({{w.data(), nullptr, outputs}}, inputs, target);
    InputPreparer preparer(target);
    layer.apply(preparer.prepare(x.data(), 1, inputs), {.values = out.data(), .stride = outputs});
    for (int64_t output = 0; output < outputs; ++output) {
      CHECK(out[output] == Approx(output % 2 == 0 ? 64.0 : -8.0).epsilon(0.05));
      std::vector<float> rounded(inputs);
      layer.unpack_row(output, rounded);
      CHECK(out[output] == Approx(std::accumulate(rounded.begin(), rounded.end(), 0.0)));
    }
  }
}

TEST_CASE("int8 is the same to the last bit on every instruction set") {
  const Case size{45, 150, 50};
  const auto x = random_numbers(size.rows * size.inputs, 1);
  const auto w = random_numbers(size.outputs * size.inputs, 2);
  const std::vector<float> bias(size.outputs);
  std::vector<std::vector<float>> results;
  for (const auto set : instruction_sets()) {
    const EngineTarget target{.instructions = set, .weights = WeightType::kInt8};
    const PackedLinear layer({{w.data(), bias.data(), size.outputs}}, size.inputs, target);
    InputPreparer preparer(target);
    results.emplace_back(size.rows * size.outputs);
    layer.apply(preparer.prepare(x.data(), size.rows, size.inputs),
                {.values = results.back().data(), .stride = size.outputs});
    CHECK(results.back() == results.front());
  }
}

TEST_CASE("a row's result is the same to the last bit whatever its neighbours are") {
  const int64_t rows = 17, inputs = 300, outputs = 40;
  const auto x = random_numbers(rows * inputs, 1);
  const auto w = random_numbers(outputs * inputs, 2);
  const auto bias = random_numbers(outputs, 3);
  for (const auto set : instruction_sets()) {
    for (const auto type : {WeightType::kFloat32, WeightType::kInt8}) {
      const EngineTarget target{.instructions = set, .weights = type};
      const PackedLinear layer({{w.data(), bias.data(), outputs}}, inputs, target);
      InputPreparer preparer(target);
      std::vector<float> together(rows * outputs), alone(outputs);
      layer.apply(preparer.prepare(x.data(), rows, inputs),
                  {.values = together.data(), .stride = outputs});
      for (int64_t row = 0; row < rows; ++row) {
        layer.apply(preparer.prepare(x.data() + row * inputs, 1, inputs),
                    {.values = alone.data(), .stride = outputs});
        CHECK(std::equal(alone.begin(), alone.end(), together.begin() + row * outputs));
      }
    }
  }
}

TEST_CASE("a range of outputs, and a selection of them, equal the same outputs of the whole") {
  const int64_t rows = 5, inputs = 24, outputs = 150;
  const auto x = random_numbers(rows * inputs, 1);
  const auto w = random_numbers(outputs * inputs, 2);
  const auto bias = random_numbers(outputs, 3);
  const std::vector<int32_t> chosen = {3, 4, 31, 32, 77, 149};
  for (const auto set : instruction_sets()) {
    for (const auto type : {WeightType::kFloat32, WeightType::kInt8}) {
      const EngineTarget target{.instructions = set, .weights = type};
      const PackedLinear layer({{w.data(), bias.data(), outputs}}, inputs, target);
      InputPreparer preparer(target);
      const auto input = preparer.prepare(x.data(), rows, inputs);
      std::vector<float> all(rows * outputs), part(rows * 54), few(rows * chosen.size());
      layer.apply(input, {.values = all.data(), .stride = outputs});
      layer.apply(input, {96, 54}, {.values = part.data(), .stride = 54});
      const auto stride = static_cast<int64_t>(chosen.size());
      layer.select_outputs(chosen).apply(input, {.values = few.data(), .stride = stride});
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t i = 0; i < 54; ++i) CHECK(part[row * 54 + i] == all[row * outputs + 96 + i]);
        for (int64_t i = 0; i < stride; ++i) {
          CHECK(few[row * stride + i] == all[row * outputs + chosen[i]]);
        }
      }
    }
  }
}

}  // namespace xformer
