// The inference kernels for any machine: vectors of four floats.
#include "kernels/inference_sets.h"

namespace xformer {
namespace {

constexpr int kLanes = 4, kRows = 4;

#include "kernels/inference_body.h"

void linear_int8(const InputRows& x, const PackedPanels& w, OutputRange range,
                 const OutputRows& out) {
  const int64_t quads = (w.inputs + 3) / 4, last = range.first + range.count;
  for (int64_t output = range.first; output < last; output += kPanel) {
    const int64_t valid = last - output < kPanel ? last - output : kPanel;
    const int8_t* panel = w.quantized + output * quads * 4;
    for (int64_t row = 0; row < x.count; ++row) {
      const int8_t* values = x.quantized + row * x.quantized_stride;
      int32_t sums[kPanel] = {};
      for (int64_t quad = 0; quad < quads; ++quad) {
        const int8_t* weights = panel + quad * kPanel * 4;
        for (int64_t o = 0; o < kPanel; ++o) {
          for (int i = 0; i < 4; ++i) sums[o] += values[quad * 4 + i] * weights[o * 4 + i];
        }
      }
      Vector scaled[2];
      for (int64_t o = 0; o < kPanel; ++o) {
        scaled[o / kLanes][o % kLanes] =
            static_cast<float>(sums[o]) * (x.scales[row] * w.scales[output + o]);
      }
      store_row(scaled, w.bias + output, out, row * out.stride + output - range.first, valid);
    }
  }
}

}  // namespace

const InferenceKernels kGenericInference = {kPanel,    linear, linear_int8, activate, layer_norm, attention, quantize, summarize};

}  // namespace xformer
