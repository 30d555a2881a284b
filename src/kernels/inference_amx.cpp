// The inference kernels for AMX: int8 products of tiles, all else as for AVX-512.
#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include "kernels/inference_sets.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512vl,amx-tile,amx-int8,prefer-vector-width=512")

namespace xformer {
namespace {

constexpr int kLanes = 16, kRows = 12;
constexpr int64_t kInputBytes = 256 * 1024;
using RoundedInput = int8_t;

#include "kernels/inference_body.h"
#include "kernels/inference_linear.h"
#include "kernels/inference_vectors_512.h"
// What comes next needs those.
#include "kernels/inference_tiles.h"

}  // namespace

extern const InferenceKernels kAmxInference = {
    kPanel,      linear,   linear_int8, activate,  layer_norm,        attention, attention_bfloat16,
    to_bfloat16, quantize, row_lengths, summarize, largest_of_panels, dot};

}  // namespace xformer

#pragma GCC pop_options

#endif
