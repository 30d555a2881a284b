// The inference kernels for AVX2 and FMA: vectors of eight floats.
#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include "kernels/inference_sets.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace xformer {
namespace {

constexpr int kLanes = 8, kRows = 6, kInt8Rows = 4;

#include "kernels/inference_body.h"

INLINE __m256i pairs_of(Fours fours) {
  return _mm256_maddubs_epi16(reinterpret_cast<__m256i>(fours.x),
                              reinterpret_cast<__m256i>(fours.w));
}

INLINE IntVector add_products(IntVector sum, Fours first, Fours second) {
  const __m256i pairs = _mm256_add_epi16(pairs_of(first), pairs_of(second));
  return sum + reinterpret_cast<IntVector>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

}  // namespace

extern const InferenceKernels kAvx2Inference = {
    kPanel,    linear,   linear_int8, activate,          layer_norm,
    attention, quantize, summarize,   largest_of_panels, dot};

}  // namespace xformer

#pragma GCC pop_options

#endif
