#include "kernels/lanes.h"

#include <cmath>
#include <limits>

#include "catch.h"

namespace xformer {
namespace {

float exponential(float x) {
  Lanes lanes = Lanes{} + x;
  exponentiate(lanes);
  for (int64_t l = 1; l < kLanes; ++l) CHECK(lanes[l] == lanes[0]);
  return lanes[0];
}

}  // namespace

TEST_CASE("the exponential is within two units of the last place of the exact one") {
  constexpr float kUnit = std::numeric_limits<float>::epsilon();
  double worst = 0;
  for (float x = -87; x <= 88; x += 0.0137F) {
    const double exact = std::exp(static_cast<double>(x));
    worst = std::max(worst, std::abs(exponential(x) - exact) / exact);
  }
  CHECK(worst < 2 * kUnit);
}

TEST_CASE("what is negligible becomes zero, also minus infinity") {
  CHECK(exponential(-87.5F) == 0);
  CHECK(exponential(-1e30F) == 0);
  CHECK(exponential(-std::numeric_limits<float>::infinity()) == 0);
  CHECK(exponential(0) == 1);
}

TEST_CASE("a square of lanes is transposed") {
  Lanes rows[kLanes];
  for (int64_t i = 0; i < kLanes; ++i) {
    for (int64_t j = 0; j < kLanes; ++j) rows[i][j] = static_cast<float>(10 * i + j);
  }
  transpose(rows);
  for (int64_t i = 0; i < kLanes; ++i) {
    for (int64_t j = 0; j < kLanes; ++j) CHECK(rows[i][j] == static_cast<float>(10 * j + i));
  }
}

TEST_CASE("lanes are summed and compared as a whole") {
  const Lanes lanes = {1, 2, 3, 40, 5, 6, 7, 8};
  CHECK(sum_of(lanes) == 72);
  CHECK(largest_of(lanes) == 40);
  CHECK(padded_to_lanes(0) == 0);
  CHECK(padded_to_lanes(1) == kLanes);
  CHECK(padded_to_lanes(kLanes) == kLanes);
}

}  // namespace xformer
