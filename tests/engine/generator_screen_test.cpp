// The best piece found with int8 logits and their bounds, beside that of all float32 logits.
#include "engine/generator_screen.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "engine/packed_generator.h"
#include "random_numbers.h"

namespace xformer {
namespace {

constexpr int64_t kInputs = 72;

struct Layer {
  std::vector<float> weights, bias;
  PackedLinear packed;
  GeneratorScreen screen;
};

Layer layer_of(std::vector<float> weights, std::vector<float> bias, InstructionSet set) {
  Layer layer{.weights = std::move(weights), .bias = std::move(bias), .packed = {}, .screen = {}};
  const LinearPart part{layer.weights.data(), layer.bias.data(), std::ssize(layer.bias)};
  layer.packed = PackedLinear({part}, kInputs, {.instructions = set});
  layer.screen = GeneratorScreen(part, kInputs, set);
  return layer;
}

void check_same_best(const Layer& layer, const std::vector<float>& x, InstructionSet set) {
  InputPreparer preparer({.instructions = set});
  const InputRows rows = preparer.prepare(x.data(), std::ssize(x) / kInputs, kInputs);
  PackedGenerator generator({.instructions = set});
  const auto all = generator.best(layer.packed, rows, {.k = 1, .exact = false});
  const auto screened = generator.best(layer.packed, layer.screen, rows);
  REQUIRE(screened.ids == all.ids);
  REQUIRE(screened.log_probs == all.log_probs);
}

}  // namespace

TEST_CASE("the screen finds the best output, whatever the sizes") {
  const int64_t outputs = GENERATE(1, 5, 31, 256, 257, 1000);
  const int64_t rows = GENERATE(1, 7, 130);
  for (const auto set : instruction_sets()) {
    CAPTURE(to_string(set), outputs, rows);
    const auto layer =
        layer_of(random_numbers(outputs * kInputs, 1), random_numbers(outputs, 2), set);
    check_same_best(layer, random_numbers(rows * kInputs, 3), set);
  }
}

TEST_CASE("outputs that int8 cannot tell apart are told apart, and of equal ones the first stays") {
  constexpr int64_t kOutputs = 600, kRows = 64;
  auto weights = random_numbers(kOutputs * kInputs, 1);
  // Rows 100 to 599 differ from row output % 100 by less than int8 can hold, or not at all.
  for (int64_t output = 100; output < kOutputs; ++output) {
    for (int64_t i = 0; i < kInputs; ++i) {
      const float change = output % 3 == 0 ? 0.0F : 1e-5F * static_cast<float>(output % 7);
      weights[output * kInputs + i] = weights[output % 100 * kInputs + i] + change;
    }
  }
  for (const auto set : instruction_sets()) {
    const auto layer = layer_of(weights, std::vector<float>(kOutputs, 0.0F), set);
    check_same_best(layer, random_numbers(kRows * kInputs, 3), set);
  }
}

TEST_CASE("of an int8 generator float32 scores the candidates") {
  constexpr int64_t kOutputs = 500, kRows = 40;
  for (const auto set : instruction_sets()) {
    const auto layer =
        layer_of(random_numbers(kOutputs * kInputs, 1), random_numbers(kOutputs, 2), set);
    const LinearPart stored{layer.weights.data(), layer.bias.data(), kOutputs};
    const EngineTarget target{.instructions = set, .weights = WeightType::kInt8};
    const PackedLinear rounded({stored}, kInputs, target);
    const auto x = random_numbers(kRows * kInputs, 3);
    InputPreparer preparer(target);
    const Wanted wanted{.k = 4, .forced = std::vector<int32_t>(kRows, 17)};
    const auto found = PackedGenerator(target).best(
        rounded, stored, preparer.prepare(x.data(), kRows, kInputs), wanted);
    InputPreparer plain({.instructions = set});
    const auto expected = PackedGenerator({.instructions = set})
                              .best(layer.packed, plain.prepare(x.data(), kRows, kInputs), wanted);
    REQUIRE(found.ids == expected.ids);
    for (int64_t row = 0; row < kRows; ++row) {
      // What int8 leaves uncertain is the sum alone, which is the same for all of a row.
      const float shift = found.log_probs[row * 4] - expected.log_probs[row * 4];
      CHECK(std::abs(shift) < 0.01F);
      for (int64_t i = row * 4; i < row * 4 + 4; ++i) {
        CHECK(found.log_probs[i] - shift == Approx(expected.log_probs[i]).margin(1e-4));
      }
      CHECK(found.forced[row] - shift == Approx(expected.forced[row]).margin(1e-4));
    }
  }
}

TEST_CASE("forbidden outputs are passed over") {
  constexpr int64_t kOutputs = 40;
  for (const auto set : instruction_sets()) {
    auto layer = layer_of(random_numbers(kOutputs * kInputs, 1), random_numbers(kOutputs, 2), set);
    const auto x = random_numbers(5 * kInputs, 3);
    for (int64_t output = 0; output < kOutputs; output += 2) {
      layer.packed.set_bias(output, -std::numeric_limits<float>::infinity());
    }
    check_same_best(layer, x, set);
  }
}

}  // namespace xformer
