// The inference kernels for any machine: vectors of four floats.
#include "kernels/inference_sets.h"

namespace xformer {
namespace {

constexpr int kLanes = 4, kRows = 4, kInt8Rows = 4;
constexpr int64_t kInputBytes = 256 * 1024;
using RoundedInput = uint8_t;

#include "kernels/inference_body.h"
#include "kernels/inference_linear.h"
#include "kernels/inference_linear_int8.h"

INLINE Vector larger(Vector a, Vector b) {
  return a > b ? a : b;
}
INLINE IntVector widen(HalfVector halves) {
  return __builtin_convertvector(halves, IntVector);
}

INLINE IntVector held(IntVector v) {
  return v;
}

INLINE Vector rounded(Vector product) {
  asm("" : "+m"(product));
  return product;
}

INLINE IntVector begin_group(IntVector sum) {
  return sum;
}

INLINE IntVector add_products(IntVector group, IntVector x, IntVector w) {
  const auto* values = reinterpret_cast<const uint8_t*>(&x);
  const auto* weights = reinterpret_cast<const int8_t*>(&w);
  for (int i = 0; i < 4 * kLanes; ++i) group[i / 4] += values[i] * weights[i];
  return group;
}

INLINE IntVector end_group(IntVector, IntVector group) {
  return group;
}

}  // namespace

const InferenceKernels kGenericInference = {
    kPanel,      linear,   linear_int8, activate,  layer_norm,        attention, attention_bfloat16,
    to_bfloat16, quantize, row_lengths, summarize, largest_of_panels, dot};

}  // namespace xformer
