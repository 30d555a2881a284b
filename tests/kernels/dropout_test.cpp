#include "kernels/dropout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "catch.h"
#include "kernels/philox.h"

namespace xformer {
namespace {

constexpr int64_t kOdd = 9 * kDropoutBlock + 17;
constexpr int64_t kElements = 100'000;

std::vector<float> factors(const DropoutDraw& draw, int64_t elements = kElements) {
  const std::vector<float> ones(elements, 1.0F);
  std::vector<float> out(elements);
  dropout(draw, ones.data(), out.data(), 0, elements);
  return out;
}

/// Values from -1 to 1.
std::vector<float> ramp(int64_t elements) {
  std::vector<float> values(elements);
  for (int64_t i = 0; i < elements; ++i) values[i] = 2.0F * i / elements - 1;
  return values;
}

}  // namespace

TEST_CASE("Philox gives the published known answer") {
  // Random123's kat_vectors: philox4x32 10, counter and key all zero.
  uint32_t out[4][8];
  philox(0, 0, out);
  CHECK(out[0][0] == 0x6627e8d5);
  CHECK(out[1][0] == 0xe169c58d);
  CHECK(out[2][0] == 0xbc57ac4c);
  CHECK(out[3][0] == 0x9b00dbd8);
}

TEST_CASE("a lane's numbers depend on its counter alone") {
  constexpr int kLanes = 8;
  uint32_t first[4][kLanes], later[4][kLanes];
  philox(0x123456789abcdef, 0xfffffffe, first);  // crosses the end of 32 bits
  philox(0x123456789abcdef, 0xffffffff, later);
  for (int word = 0; word < 4; ++word) {
    for (int l = 0; l + 1 < kLanes; ++l) CHECK(first[word][l + 1] == later[word][l]);
  }
}

TEST_CASE("the share of dropped elements is the probability, and the mean stays") {
  const double probability = GENERATE(0.1, 0.15, 0.5, 0.9);
  const auto out = factors(DropoutDraw::with_probability(42, probability));
  const auto dropped = std::ranges::count(out, 0.0F);
  const double deviation = std::sqrt(kElements * probability * (1 - probability));
  CHECK(std::abs(dropped - kElements * probability) < 5 * deviation);
  const double mean = std::accumulate(out.begin(), out.end(), 0.0) / kElements;
  CHECK(mean == Approx(1).margin(5 * deviation / kElements / (1 - probability)));
}

TEST_CASE("another key draws others, the same key the same") {
  const auto a = factors(DropoutDraw::with_probability(1, 0.5));
  CHECK(a == factors(DropoutDraw::with_probability(1, 0.5)));
  CHECK(a != factors(DropoutDraw::with_probability(2, 0.5)));
}

TEST_CASE("neighbouring elements are independent") {
  const auto out = factors(DropoutDraw::with_probability(7, 0.5));
  for (int64_t distance : {1, 8, 16, 64}) {
    int64_t equal = 0;
    for (int64_t i = 0; i + distance < kElements; ++i) equal += out[i] == out[i + distance];
    CHECK(std::abs(equal - kElements / 2.0) < 5 * std::sqrt(kElements) / 2);
  }
}

TEST_CASE("ranges may be cut anywhere") {
  const auto draw = DropoutDraw::with_probability(3, 0.3);
  const auto x = ramp(kOdd);
  std::vector<float> whole(kOdd), parts(kOdd);
  dropout(draw, x.data(), whole.data(), 0, kOdd);
  const int64_t cut =
      GENERATE(int64_t{0}, int64_t{1}, int64_t{63}, 2 * kDropoutBlock, 2 * kDropoutBlock + 5, kOdd);
  dropout(draw, x.data(), parts.data(), cut, kOdd);
  dropout(draw, x.data(), parts.data(), 0, cut);
  CHECK(whole == parts);
}

TEST_CASE("a draw may begin anywhere in the whole") {
  auto draw = DropoutDraw::with_probability(3, 0.3);
  const auto x = ramp(kOdd);
  std::vector<float> whole(kOdd);
  dropout(draw, x.data(), whole.data(), 0, kOdd);
  draw.first = GENERATE(1, 40, 64, 130);
  std::vector<float> part(x.begin() + draw.first, x.end());
  dropout(draw, part.data(), part.data(), 0, std::ssize(part));
  CHECK(std::ranges::equal(part, std::span(whole).subspan(draw.first)));
}

TEST_CASE("a slice that lies elsewhere is dropped as in the whole") {
  const auto draw = DropoutDraw::with_probability(3, 0.3);
  constexpr int64_t kFirst = 2 * kDropoutBlock + 3, kCount = kDropoutBlock + 7;
  const auto x = ramp(kFirst + kCount);
  std::vector<float> whole(x.size()), slice(x.begin() + kFirst, x.end());
  dropout(draw, x.data(), whole.data(), 0, kFirst + kCount);
  dropout_slice(draw, kFirst, kCount, slice.data(), slice.data());
  CHECK(std::ranges::equal(slice, std::span(whole).subspan(kFirst)));
}

TEST_CASE("the fused forms do what their parts do") {
  const auto draw = DropoutDraw::with_probability(5, 0.25);
  constexpr int64_t kCount = 3 * kDropoutBlock + 5;
  const auto x = ramp(kCount), keep = factors(draw, kCount);
  std::vector<float> residual(kCount, 0.5F), gradient(kCount, 2.0F), added(kCount), relu(kCount),
      back(kCount);
  dropout_add(draw, x.data(), residual.data(), added.data(), 0, kCount);
  dropout_relu(draw, x.data(), relu.data(), 0, kCount);
  dropout_relu_backward(draw, relu.data(), gradient.data(), back.data(), 0, kCount);
  for (int64_t i = 0; i < kCount; ++i) {
    CHECK(added[i] == Approx(0.5F + keep[i] * x[i]));
    CHECK(relu[i] == keep[i] * std::max(0.0F, x[i]));
    CHECK(back[i] == (x[i] > 0 ? 2.0F * keep[i] : 0.0F));
  }
}

TEST_CASE("bfloat16 is dropped as the float32 that it stands for, and rounded once") {
  const auto draw = DropoutDraw::with_probability(5, 0.25);
  constexpr int64_t kCount = 3 * kDropoutBlock + 5;
  const auto keep = factors(draw, kCount);
  std::vector<BFloat16> x(kCount), gradient(kCount), out(kCount), relu(kCount), back(kCount);
  for (int64_t i = 0; i < kCount; ++i) {
    x[i] = narrowed<BFloat16>(ramp(kCount)[i]);
    gradient[i] = narrowed<BFloat16>(-3 * ramp(kCount)[i]);
  }
  dropout(draw, x.data(), out.data(), 0, kCount);
  dropout_relu(draw, x.data(), relu.data(), 0, kCount);
  dropout_relu_backward(draw, relu.data(), gradient.data(), back.data(), 0, kCount);
  for (int64_t i = 0; i < kCount; ++i) {
    const float value = widened(x[i]), passed = keep[i] * widened(gradient[i]);
    CHECK(out[i] == narrowed<BFloat16>(keep[i] * value));
    CHECK(relu[i] == narrowed<BFloat16>(keep[i] * std::max(0.0F, value)));
    CHECK(widened(back[i]) == widened(narrowed<BFloat16>(value > 0 ? passed : 0.0F)));
  }
}

}  // namespace xformer
