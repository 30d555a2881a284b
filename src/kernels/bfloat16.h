// bfloat16 in memory and float in registers: kernels that are templates of a Number read and write
// either.
#pragma once

#include <cstdint>

#include "kernels/clones.h"

namespace xformer {

/// The upper half of a float.
enum class BFloat16 : uint16_t {};

XFORMER_INLINE float widened(float x) {
  return x;
}
XFORMER_INLINE float widened(BFloat16 x) {
  return __builtin_bit_cast(float, static_cast<uint32_t>(x) << 16);
}

/// The nearest to x, which is no NaN; of two the even one.
XFORMER_INLINE BFloat16 nearest_bfloat16(float x) {
  constexpr uint32_t kAlmostHalf = 0x7FFF;
  const auto bits = __builtin_bit_cast(uint32_t, x);
  return static_cast<BFloat16>((bits + kAlmostHalf + (bits >> 16 & 1)) >> 16);
}

/// Rounds to the nearest, ties to even; a NaN stays one.
template <class Number>
XFORMER_INLINE Number narrowed(float x);
template <>
XFORMER_INLINE float narrowed<float>(float x) {
  return x;
}
template <>
XFORMER_INLINE BFloat16 narrowed<BFloat16>(float x) {
  constexpr BFloat16 kNaN{0x7FC0};
  return x == x ? nearest_bfloat16(x) : kNaN;
}

/// sum[i] += x[i]
void add(const BFloat16* x, float* sum, int64_t size);

}  // namespace xformer
