#include "kernels/dropout.h"

#include <cmath>

#include "kernels/dropout_factors.h"
#include "kernels/philox.h"

namespace xformer {

DropoutDraw DropoutDraw::with_probability(uint64_t key, double probability) {
  return {.key = key, .threshold = static_cast<uint32_t>(std::lround(probability * 65536))};
}

XFORMER_CLONES void draw_factors(const DropoutDraw& draw, int64_t block,
                                 float (&factors)[kDropoutBlock]) {
  // A counter gives four words of 32 bits, each of which decides two elements.
  constexpr int kLanes = kDropoutBlock / 8;
  uint32_t random[4][kLanes];
  philox(draw.key, static_cast<uint64_t>(block) * kLanes, random);
  const float scale = draw.scale();
  for (int word = 0; word < 4; ++word) {
    float* pair = factors + word * 2 * kLanes;
    for (int l = 0; l < kLanes; ++l) {
      pair[l] = (random[word][l] & 0xFFFF) >= draw.threshold ? scale : 0.0F;
      pair[kLanes + l] = (random[word][l] >> 16) >= draw.threshold ? scale : 0.0F;
    }
  }
}

template <class Number>
XFORMER_CLONES void dropout(const DropoutDraw& draw, const Number* x, Number* out, int64_t begin,
                            int64_t end) {
  for_each_element(draw, begin, end, [=](int64_t i, float factor) {
    out[i] = narrowed<Number>(factor * widened(x[i]));
  });
}

XFORMER_CLONES void dropout_slice(const DropoutDraw& draw, int64_t first, int64_t count,
                                  const float* x, float* out) {
  for_each_element(draw, first, first + count,
                   [=](int64_t i, float factor) { out[i - first] = factor * x[i - first]; });
}

XFORMER_CLONES void dropout_add(const DropoutDraw& draw, const float* x, const float* residual,
                                float* out, int64_t begin, int64_t end) {
  for_each_element(draw, begin, end,
                   [=](int64_t i, float factor) { out[i] = residual[i] + factor * x[i]; });
}

template <class Number>
XFORMER_CLONES void dropout_relu(const DropoutDraw& draw, const Number* x, Number* out,
                                 int64_t begin, int64_t end) {
  for_each_element(draw, begin, end, [=](int64_t i, float factor) {
    const float value = widened(x[i]);
    out[i] = narrowed<Number>(factor * (value > 0 ? value : 0.0F));
  });
}

template <class Number>
XFORMER_CLONES void dropout_relu_backward(const DropoutDraw& draw, const Number* y,
                                          const Number* gradient, Number* out, int64_t begin,
                                          int64_t end) {
  const float scale = draw.scale();
  for (int64_t i = begin; i < end; ++i) {
    const float passed = scale * widened(gradient[i]);
    out[i] = narrowed<Number>(widened(y[i]) > 0 ? passed : 0.0F);
  }
}

template void dropout(const DropoutDraw&, const float*, float*, int64_t, int64_t);
template void dropout(const DropoutDraw&, const BFloat16*, BFloat16*, int64_t, int64_t);
template void dropout_relu(const DropoutDraw&, const float*, float*, int64_t, int64_t);
template void dropout_relu(const DropoutDraw&, const BFloat16*, BFloat16*, int64_t, int64_t);
template void dropout_relu_backward(const DropoutDraw&, const float*, const float*, float*, int64_t,
                                    int64_t);
template void dropout_relu_backward(const DropoutDraw&, const BFloat16*, const BFloat16*, BFloat16*,
                                    int64_t, int64_t);

}  // namespace xformer
