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
  const InputRows rows{.values = x.data(), .count = std::ssize(x) / kInputs, .stride = kInputs};
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
