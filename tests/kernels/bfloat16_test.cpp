#include "kernels/bfloat16.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"

namespace xformer {

TEST_CASE("a float is narrowed to the nearest bfloat16, of two the even one") {
  auto there_and_back = [](float x) { return widened(narrowed<BFloat16>(x)); };
  for (const float exact : {0.0F, 1.0F, -1.5F, 0.0078125F}) CHECK(there_and_back(exact) == exact);
  CHECK(std::signbit(there_and_back(-0.0F)));
  CHECK(there_and_back(1.00390625F) == 1.0F);       // halfway to 1.0078125
  CHECK(there_and_back(1.01171875F) == 1.015625F);  // halfway from 1.0078125
  CHECK(there_and_back(-1.004F) == -1.0078125F);    // a little more than halfway
  CHECK(there_and_back(3.4e38F) == std::numeric_limits<float>::infinity());
}

TEST_CASE("what is not finite stays so") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  CHECK(widened(narrowed<BFloat16>(kInfinity)) == kInfinity);
  CHECK(widened(narrowed<BFloat16>(-kInfinity)) == -kInfinity);
  // Its mantissa is all ones, which rounding up would carry away.
  const float nan = __builtin_bit_cast(float, 0x7FFFFFFFU);
  CHECK(std::isnan(widened(narrowed<BFloat16>(nan))));
}

TEST_CASE("bfloat16 is added without being rounded again") {
  constexpr int64_t kSize = 37;  // with some that fill no vector
  std::vector<BFloat16> x(kSize);
  std::vector<float> sum(kSize);
  for (int64_t i = 0; i < kSize; ++i) {
    x[i] = narrowed<BFloat16>(static_cast<float>(i));
    sum[i] = 0.1F * static_cast<float>(i);
  }
  add(x.data(), sum.data(), kSize);
  for (int64_t i = 0; i < kSize; ++i) CHECK(sum[i] == 0.1F * static_cast<float>(i) + widened(x[i]));
}

}  // namespace xformer
