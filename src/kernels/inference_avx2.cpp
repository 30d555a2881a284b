// The inference kernels for AVX2 and FMA: vectors of eight floats.
#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include "kernels/inference_sets.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace xformer {
namespace {

constexpr int kLanes = 8, kRows = 6;

#include "kernels/inference_body.h"

/// As multiply_block, in integers. The instruction multiplies unsigned by signed bytes: the sign of
/// x goes over to the weight. Neither is below -127, so that its sums of two products fit 16 bits.
template <int rows>
OWN_REGISTERS void multiply_int8_block(const InputRows& x, int64_t row, const PackedPanels& w,
                                       int64_t output, const OutputRows& out, int64_t column,
                                       int64_t valid) {
  const int64_t quads = (w.inputs + 3) / 4;
  const int8_t* panel = w.quantized + output * quads * 4;
  const int8_t* values = x.quantized + row * x.quantized_stride;
  const __m256i ones = _mm256_set1_epi16(1);
  IntVector sums[rows][2];
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = IntVector{};
  for (int64_t quad = 0; quad < quads; ++quad) {
    const auto* weights = reinterpret_cast<const __m256i*>(panel + quad * kPanel * 4);
    const __m256i halves[2] = {_mm256_load_si256(weights), _mm256_load_si256(weights + 1)};
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      int32_t four;
      __builtin_memcpy(&four, values + r * x.quantized_stride + quad * 4, 4);
      const __m256i value = _mm256_set1_epi32(four), magnitude = _mm256_abs_epi8(value);
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        const __m256i pairs =
            _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(halves[half], value));
        sums[r][half] += reinterpret_cast<IntVector>(_mm256_madd_epi16(pairs, ones));
      }
    }
  }
  for (int r = 0; r < rows; ++r) {
    Vector scaled[2];
    for (int half = 0; half < 2; ++half) {
      scaled[half] = __builtin_convertvector(sums[r][half], Vector) *
                     (load(w.scales + output + half * kLanes) * x.scales[row + r]);
    }
    store_row(scaled, w.bias + output, out, (row + r) * out.stride + column, valid);
  }
}

void linear_int8(const InputRows& x, const PackedPanels& w, OutputRange range,
                 const OutputRows& out) {
  constexpr int kBlock = 4;
  const int64_t last = range.first + range.count;
  const auto run = [&](int64_t begin, int64_t end, int64_t panel) {
    const int64_t output = panel * kPanel, column = output - range.first;
    const int64_t valid = last - output < kPanel ? last - output : kPanel;
    int64_t row = begin;
    for (; row + kBlock <= end; row += kBlock) {
      multiply_int8_block<kBlock>(x, row, w, output, out, column, valid);
    }
    if (end - row == 3) multiply_int8_block<3>(x, row, w, output, out, column, valid);
    if (end - row == 2) multiply_int8_block<2>(x, row, w, output, out, column, valid);
    if (end - row == 1) multiply_int8_block<1>(x, row, w, output, out, column, valid);
  };
  for_each_panel(x.count, w.inputs, kBlock, range.first / kPanel, (last + kPanel - 1) / kPanel,
                 run);
}

}  // namespace

extern const InferenceKernels kAvx2Inference = {kPanel,    linear, linear_int8, activate, layer_norm, attention, quantize, summarize};

}  // namespace xformer

#pragma GCC pop_options

#endif
