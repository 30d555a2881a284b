// Vectors of eight floats in GCC's own notation: one register of AVX2, half of one of AVX-512.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/bfloat16.h"
#include "kernels/clones.h"

namespace xformer {

inline constexpr int64_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using IntLanes = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));

/// The smallest multiple of kLanes that is not below n.
constexpr int64_t padded_to_lanes(int64_t n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}

XFORMER_INLINE void load(const float* from, Lanes& lanes) {
  std::memcpy(&lanes, from, sizeof lanes);
}

XFORMER_INLINE void load(const BFloat16* from, Lanes& lanes) {
  uint16_t halves __attribute__((vector_size(kLanes * sizeof(uint16_t))));
  std::memcpy(&halves, from, sizeof halves);
  const IntLanes bits = __builtin_convertvector(halves, IntLanes) << 16;
  std::memcpy(&lanes, &bits, sizeof lanes);
}

XFORMER_INLINE void store(const Lanes& lanes, float* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}

/// The rows of a square become its columns: rows trade the halves of their blocks of 8, of 4 and
/// of 2.
XFORMER_INLINE void transpose(Lanes (&rows)[kLanes]) {
  constexpr IntLanes kFirst[] = {
      {0, 1, 2, 3, 8, 9, 10, 11}, {0, 1, 8, 9, 4, 5, 12, 13}, {0, 8, 2, 10, 4, 12, 6, 14}};
  constexpr IntLanes kSecond[] = {
      {4, 5, 6, 7, 12, 13, 14, 15}, {2, 3, 10, 11, 6, 7, 14, 15}, {1, 9, 3, 11, 5, 13, 7, 15}};
  for (int step = 0; step < 3; ++step) {
    const int64_t half = kLanes >> (step + 1);
    for (int64_t i = 0; i < kLanes; ++i) {
      if (i & half) continue;
      const Lanes upper = rows[i], lower = rows[i + half];
      rows[i] = __builtin_shuffle(upper, lower, kFirst[step]);
      rows[i + half] = __builtin_shuffle(upper, lower, kSecond[step]);
    }
  }
}

XFORMER_INLINE float sum_of(const Lanes& lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

XFORMER_INLINE float largest_of(const Lanes& lanes) {
  float largest = lanes[0];
  for (int64_t l = 1; l < kLanes; ++l) largest = lanes[l] > largest ? lanes[l] : largest;
  return largest;
}

/// x becomes e^x, within 2 units in the last place; 0 below -87, where e^x is no longer a normal
/// number. x <= 88
XFORMER_INLINE void exponentiate(Lanes& x) {
  constexpr float kLog2E = 1.44269504F, kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
  // Adding it leaves the nearest whole number in the lowest bits of the mantissa.
  constexpr float kShift = 12582912.0F;
  constexpr int32_t kBias = 127, kMantissaBits = 23;
  const IntLanes negligible = x < -87.0F;
  const Lanes shifted = x * kLog2E + kShift;
  const Lanes whole = shifted - kShift;
  const Lanes r = (x - whole * kLn2High) - whole * kLn2Low;  // |r| <= ln(2) / 2

  Lanes series = r * (1.0F / 5040) + (1.0F / 720);  // Taylor, to the seventh order
  series = series * r + (1.0F / 120);
  series = series * r + (1.0F / 24);
  series = series * r + (1.0F / 6);
  series = series * r + 0.5F;
  series = series * r * r + r + 1.0F;

  IntLanes bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + kBias) << kMantissaBits;
  Lanes power;
  std::memcpy(&power, &bits, sizeof power);
  x = negligible ? Lanes{} : series * power;
}

}  // namespace xformer
