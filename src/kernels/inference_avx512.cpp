// The inference kernels for AVX-512 with VNNI: vectors of sixteen floats.
#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include "kernels/inference_sets.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512vl,avx512vnni,prefer-vector-width=512")

namespace xformer {
namespace {

constexpr int kLanes = 16, kRows = 12;

#include "kernels/inference_body.h"

/// As multiply_block, in integers. The instruction multiplies unsigned by signed bytes: x goes in
/// with 128 added, and 128 times the sum of the weights is taken off again.
template <int rows>
OWN_REGISTERS void multiply_int8_block(const InputRows& x, int64_t row, const PackedPanels& w,
                                       int64_t output, const OutputRows& out, int64_t column,
                                       int64_t valid) {
  const int64_t quads = (w.inputs + 3) / 4;
  const int8_t* panel = w.quantized + output * quads * 4;
  const int8_t* values = x.quantized + row * x.quantized_stride;
  IntVector sums[rows][2];
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = IntVector{};
  for (int64_t quad = 0; quad < quads; ++quad) {
    const auto* weights = reinterpret_cast<const __m512i*>(panel + quad * kPanel * 4);
    const __m512i halves[2] = {_mm512_load_si512(weights), _mm512_load_si512(weights + 1)};
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      uint32_t four;
      __builtin_memcpy(&four, values + r * x.quantized_stride + quad * 4, 4);
      const __m512i value = _mm512_set1_epi32(static_cast<int32_t>(four ^ 0x80808080U));
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        const auto sum = reinterpret_cast<__m512i>(sums[r][half]);
        sums[r][half] = reinterpret_cast<IntVector>(_mm512_dpbusd_epi32(sum, value, halves[half]));
      }
    }
  }
  for (int r = 0; r < rows; ++r) {
    Vector scaled[2];
    for (int half = 0; half < 2; ++half) {
      const int64_t at = output + half * kLanes;
      const IntVector exact = sums[r][half] - load(w.sums + at) * 128;
      scaled[half] =
          __builtin_convertvector(exact, Vector) * (load(w.scales + at) * x.scales[row + r]);
    }
    store_row(scaled, w.bias + output, out, (row + r) * out.stride + column, valid);
  }
}

template <int rows>
void multiply_int8_rest(int64_t rest, const InputRows& x, int64_t row, const PackedPanels& w,
                        int64_t output, const OutputRows& out, int64_t column, int64_t valid) {
  if constexpr (rows > 0) {
    if (rest == rows) {
      multiply_int8_block<rows>(x, row, w, output, out, column, valid);
    } else {
      multiply_int8_rest<rows - 1>(rest, x, row, w, output, out, column, valid);
    }
  }
}

void linear_int8(const InputRows& x, const PackedPanels& w, OutputRange range,
                 const OutputRows& out) {
  const int64_t last = range.first + range.count;
  const auto run = [&](int64_t begin, int64_t end, int64_t panel) {
    const int64_t output = panel * kPanel, column = output - range.first;
    const int64_t valid = last - output < kPanel ? last - output : kPanel;
    int64_t row = begin;
    for (; row + kRows <= end; row += kRows) {
      multiply_int8_block<kRows>(x, row, w, output, out, column, valid);
    }
    multiply_int8_rest<kRows - 1>(end - row, x, row, w, output, out, column, valid);
  };
  for_each_panel(x.count, w.inputs, kRows, range.first / kPanel, (last + kPanel - 1) / kPanel, run);
}

}  // namespace

extern const InferenceKernels kAvx512Inference = {kPanel,    linear, linear_int8, activate, layer_norm, attention, quantize, summarize};

}  // namespace xformer

#pragma GCC pop_options

#endif
