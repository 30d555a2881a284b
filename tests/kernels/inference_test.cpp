// Every instruction set that this machine has, against plain loops in double precision.
#include "kernels/inference.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"
#include "random_numbers.h"

namespace xformer {

namespace {

/// The values of one head in bfloat16, as attention to a single key gives them back.
std::vector<float> stored_in_bfloat16(InstructionSet set, const std::vector<float>& values) {
  const auto& kernels = inference_kernels(set);
  const auto d_k = std::ssize(values);
  std::vector<BFloat16> row(2 * values.size());
  kernels.to_bfloat16(values.data(), d_k, d_k, row.data());
  kernels.to_bfloat16(values.data(), d_k, d_k, row.data() + d_k);
  const std::vector<float> query(values.size());
  const std::vector<const void*> rows = {row.data()};
  std::vector<float> out(values.size()), scores(scores_of_heads(1, 1));
  kernels.attention_bfloat16({.query = query.data(),
                              .rows = rows.data(),
                              .count = 1,
                              .value_offset = d_k,
                              .heads = 1,
                              .d_k = d_k,
                              .scores = scores.data(),
                              .weights = nullptr},
                             out.data());
  return out;
}

}  // namespace

TEST_CASE("bfloat16 is the nearest, of two the even one") {
  std::vector<float> x = {0.0F, 1.0F, 1.00390625F, 1.01171875F, -1.004F, 1e-3F, 3e38F};
  const auto padding = GENERATE(0, 1, 25, 57, 80);
  x.insert(x.begin(), padding, 0.5F);
  for (const auto set : instruction_sets()) {
    const auto rounded = stored_in_bfloat16(set, x);
    CAPTURE(to_string(set), padding);
    for (int i = 0; i < padding + 2; ++i) REQUIRE(rounded[i] == x[i]);
    CHECK(rounded[padding + 2] == 1.0F);         // halfway to 1.0078125
    CHECK(rounded[padding + 3] == 1.015625F);    // halfway from 1.0078125
    CHECK(rounded[padding + 4] == -1.0078125F);  // a little more than halfway
    for (size_t i = 0; i < x.size(); ++i) {
      CHECK(std::abs(rounded[i] - x[i]) <= std::abs(x[i]) / 256);
    }
  }
}

TEST_CASE("layer norm equals its formula") {
  const int64_t size = GENERATE(1, 7, 16, 100);
  const auto x = random_numbers(size, 1), gain = random_numbers(size, 2);
  const auto bias = random_numbers(size, 3);
  double mean = 0, variance = 0;
  for (const float value : x) mean += value / static_cast<double>(size);
  for (const float value : x)
    variance += (value - mean) * (value - mean) / static_cast<double>(size);
  for (const auto set : instruction_sets()) {
    std::vector<float> out(size);
    inference_kernels(set).layer_norm(x.data(), gain.data(), bias.data(), 1e-5F, size, out.data());
    for (int64_t i = 0; i < size; ++i) {
      const double expected = (x[i] - mean) / std::sqrt(variance + 1e-5) * gain[i] + bias[i];
      CHECK(out[i] == Approx(expected).margin(1e-5));
    }
  }
}

TEST_CASE("activations equal their formulas") {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const auto formula = [&](SmoothActivation curve, double x) {
    switch (curve) {
      case SmoothActivation::kSwish:
        return x * sigmoid(x);
      case SmoothActivation::kGelu:
        return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
      case SmoothActivation::kGeluTanh:
        return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
      case SmoothActivation::kGeluSigmoid:
        return x * sigmoid(1.702 * x);
    }
    return 0.0;
  };
  std::vector<float> x = {0.0F, -0.0F, 1e-30F, -1e-30F, 40, -40, 200, -200, 1e10F, -1e10F};
  for (int i = -1200; i <= 1200; ++i) x.push_back(static_cast<float>(i) / 100);
  for (const auto curve : {SmoothActivation::kSwish, SmoothActivation::kGelu,
                           SmoothActivation::kGeluTanh, SmoothActivation::kGeluSigmoid}) {
    for (const auto set : instruction_sets()) {
      for (const int64_t size : {int64_t{1}, int64_t{37}, std::ssize(x)}) {
        auto y = x;
        inference_kernels(set).activate(curve, y.data(), size);
        double worst = 0;
        for (int64_t i = 0; i < size; ++i) {
          const double expected = formula(curve, x[i]);
          worst = std::max(worst, std::abs(y[i] - expected) / std::max(std::abs(expected), 1e-3));
        }
        CAPTURE(to_string(set), static_cast<int>(curve), size);
        CHECK(worst < 1e-6);
        for (int64_t i = size; i < std::ssize(x); ++i) REQUIRE(y[i] == x[i]);
      }
    }
  }
}

TEST_CASE("attention equals softmax(q k / sqrt(d_k)) v, head by head") {
  const int64_t heads = 3, d_k = GENERATE(1, 5, 8, 44, 64, 140), count = GENERATE(1, 9, 40);
  const bool bfloat16 = GENERATE(false, true);
  const int64_t d = heads * d_k;
  const auto query = random_numbers(d, 1);
  auto memory = random_numbers(count * 2 * d, 2);
  for (const auto set : instruction_sets()) {
    const auto& kernels = inference_kernels(set);
    std::vector<BFloat16> rounded(memory.size());
    if (bfloat16) {
      kernels.to_bfloat16(memory.data(), std::ssize(memory), d_k, rounded.data());
      for (float& number : memory) number = widened(nearest_bfloat16(number));
    }
    std::vector<const float*> rows;
    std::vector<const void*> stored;
    for (int64_t j = 0; j < count; ++j) {
      rows.push_back(memory.data() + j * 2 * d);
      if (bfloat16) {
        stored.push_back(rounded.data() + j * 2 * d);
      } else {
        stored.push_back(rows.back());
      }
    }
    std::vector<float> out(d), scores(scores_of_heads(heads, count)), sums(count);
    (bfloat16 ? kernels.attention_bfloat16 : kernels.attention)({.query = query.data(),
                                                                 .rows = stored.data(),
                                                                 .count = count,
                                                                 .value_offset = d,
                                                                 .heads = heads,
                                                                 .d_k = d_k,
                                                                 .scores = scores.data(),
                                                                 .weights = sums.data()},
                                                                out.data());
    std::vector<double> expected_sums(count);
    for (int64_t head = 0; head < heads; ++head) {
      std::vector<double> weights(count);
      double total = 0;
      for (int64_t j = 0; j < count; ++j) {
        double dot = 0;
        for (int64_t i = head * d_k; i < (head + 1) * d_k; ++i) dot += query[i] * rows[j][i];
        total += weights[j] = std::exp(dot / std::sqrt(static_cast<double>(d_k)));
      }
      for (int64_t j = 0; j < count; ++j) expected_sums[j] += weights[j] / total;
      for (int64_t i = head * d_k; i < (head + 1) * d_k; ++i) {
        double expected = 0;
        for (int64_t j = 0; j < count; ++j) expected += weights[j] / total * rows[j][d + i];
        CHECK(out[i] == Approx(expected).margin(1e-5));
      }
    }
    for (int64_t j = 0; j < count; ++j) CHECK(sums[j] == Approx(expected_sums[j]).margin(1e-5));
  }
}

TEST_CASE("log-sum-exp and the k best of logits that come in parts equal those of the whole") {
  const int64_t size = 1000, k = GENERATE(1, 4, 25);
  auto logits = random_numbers(size, 1);
  for (float& logit : logits) logit *= 5;
  logits[17] = logits[400] = 30;  // equal ones keep the order of their ids
  logits[3] = -INFINITY;
  double total = 0;
  for (const float logit : logits) total += std::exp(static_cast<double>(logit));
  std::vector<int32_t> order(size);
  for (int32_t i = 0; i < size; ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater<>(), [&](int32_t i) { return logits[i]; });
  for (const auto set : instruction_sets()) {
    for (const int64_t part : {1, 37, 256, 1000}) {
      std::vector<int32_t> ids(k);
      std::vector<float> best(k);
      LogitSummary summary{
          .largest = -INFINITY, .sum = 0, .count = 0, .ids = ids.data(), .logits = best.data()};
      for (int64_t first = 0; first < size; first += part) {
        inference_kernels(set).summarize(logits.data() + first, first, std::min(part, size - first),
                                         k, true, summary);
      }
      CHECK(summary.largest + std::log(summary.sum) == Approx(std::log(total)).margin(1e-5));
      REQUIRE(summary.count == k);
      for (int64_t i = 0; i < k; ++i) {
        CHECK(ids[i] == order[i]);
        CHECK(best[i] == logits[order[i]]);
      }
    }
  }
}

}  // namespace xformer
