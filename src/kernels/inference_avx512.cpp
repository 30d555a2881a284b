// The inference kernels for AVX-512 with VNNI: vectors of sixteen floats.
#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include "kernels/inference_sets.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512vl,avx512vnni,prefer-vector-width=512")

namespace xformer {
namespace {

constexpr int kLanes = 16, kRows = 12, kInt8Rows = 12;

#include "kernels/inference_body.h"

INLINE __m512i add_four(__m512i sum, Fours fours) {
  return _mm512_dpbusd_epi32(sum, reinterpret_cast<__m512i>(fours.x),
                             reinterpret_cast<__m512i>(fours.w));
}

INLINE IntVector add_products(IntVector sum, Fours first, Fours second) {
  return reinterpret_cast<IntVector>(
      add_four(add_four(reinterpret_cast<__m512i>(sum), first), second));
}

}  // namespace

extern const InferenceKernels kAvx512Inference = {
    kPanel,    linear,   linear_int8, activate,          layer_norm,
    attention, quantize, summarize,   largest_of_panels, dot};

}  // namespace xformer

#pragma GCC pop_options

#endif
