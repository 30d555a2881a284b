// The inference kernels for AVX2 and FMA: vectors of eight floats.
#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include "kernels/inference_sets.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace xformer {
namespace {

constexpr int kLanes = 8, kRows = 6, kInt8Rows = 4;
constexpr int64_t kInputBytes = 256 * 1024;
using RoundedInput = uint8_t;

#include "kernels/inference_body.h"
#include "kernels/inference_linear.h"
#include "kernels/inference_linear_int8.h"

// GCC would make two instructions of the first, and two halves of the second.
INLINE Vector larger(Vector a, Vector b) {
  return _mm256_max_ps(a, b);
}
INLINE IntVector widen(HalfVector halves) {
  return reinterpret_cast<IntVector>(_mm256_cvtepu16_epi32(reinterpret_cast<__m128i>(halves)));
}

// GCC would put off the sums of a whole group and load its weights anew for each row.
INLINE IntVector held(IntVector v) {
  asm("" : "+x"(v));
  return v;
}

// A group's sums have 16 bits: see kLargestWeightSum.
INLINE Vector rounded(Vector product) {
  asm("" : "+x"(product));
  return product;
}

INLINE IntVector begin_group(IntVector) {
  return IntVector{};
}

INLINE IntVector add_products(IntVector group, IntVector x, IntVector w) {
  const __m256i pairs =
      _mm256_maddubs_epi16(reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(w));
  const __m256i sum = _mm256_add_epi16(reinterpret_cast<__m256i>(group), pairs);
  return held(reinterpret_cast<IntVector>(sum));
}

INLINE IntVector end_group(IntVector sum, IntVector group) {
  const __m256i ones = _mm256_set1_epi16(1);
  return sum +
         reinterpret_cast<IntVector>(_mm256_madd_epi16(reinterpret_cast<__m256i>(group), ones));
}

}  // namespace

extern const InferenceKernels kAvx2Inference = {
    kPanel,      linear,   linear_int8, activate,  layer_norm,        attention, attention_bfloat16,
    to_bfloat16, quantize, row_lengths, summarize, largest_of_panels, dot};

}  // namespace xformer

#pragma GCC pop_options

#endif
