// The inference kernels for AVX-512 with VNNI: vectors of sixteen floats.
#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include "kernels/inference_sets.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512vl,avx512vnni,prefer-vector-width=512")

namespace xformer {
namespace {

constexpr int kLanes = 16, kRows = 12, kInt8Rows = 12;
constexpr int64_t kInputBytes = 256 * 1024;
using RoundedInput = uint8_t;

#include "kernels/inference_body.h"
#include "kernels/inference_linear.h"
#include "kernels/inference_linear_int8.h"
#include "kernels/inference_vectors_512.h"

// GCC would load a group's weights anew for each row.
INLINE IntVector held(IntVector v) {
  asm("" : "+v"(v));
  return v;
}

INLINE IntVector begin_group(IntVector sum) {
  return sum;
}

INLINE IntVector add_products(IntVector group, IntVector x, IntVector w) {
  return reinterpret_cast<IntVector>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(group),
                                                         reinterpret_cast<__m512i>(x),
                                                         reinterpret_cast<__m512i>(w)));
}

INLINE IntVector end_group(IntVector, IntVector group) {
  return group;
}

}  // namespace

extern const InferenceKernels kAvx512Inference = {
    kPanel,      linear,   linear_int8, activate,  layer_norm,        attention, attention_bfloat16,
    to_bfloat16, quantize, row_lengths, summarize, largest_of_panels, dot};

}  // namespace xformer

#pragma GCC pop_options

#endif
