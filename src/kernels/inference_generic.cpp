// The inference kernels for any machine: vectors of four floats.
#include "kernels/inference_sets.h"

namespace xformer {
namespace {

constexpr int kLanes = 4, kRows = 4, kInt8Rows = 4;

#include "kernels/inference_body.h"

INLINE IntVector add_four(IntVector sum, const Fours& fours) {
  const auto* values = reinterpret_cast<const uint8_t*>(&fours.x);
  const auto* weights = reinterpret_cast<const int8_t*>(&fours.w);
  for (int i = 0; i < 4 * kLanes; ++i) sum[i / 4] += values[i] * weights[i];
  return sum;
}

INLINE IntVector add_products(IntVector sum, Fours first, Fours second) {
  return add_four(add_four(sum, first), second);
}

}  // namespace

const InferenceKernels kGenericInference = {
    kPanel,    linear,   linear_int8, activate,          layer_norm,
    attention, quantize, summarize,   largest_of_panels, dot};

}  // namespace xformer
