#include "kernels/dropout.h"

#include <algorithm>
#include <cmath>

#include "kernels/clones.h"
#include "kernels/lanes.h"
#include "kernels/philox.h"

namespace xformer {
namespace {

/// The factors of one block: scale where an element is kept, 0 where it is dropped.
XFORMER_INLINE void draw_factors(const DropoutDraw& draw, int64_t block,
                                 float (&factors)[kDropoutBlock]) {
  uint32_t random[4][kPhiloxLanes];
  philox(draw.key, static_cast<uint64_t>(block) * kPhiloxLanes, random);
  const float scale = draw.scale();
  // Each word of 32 bits decides two elements.
  for (int word = 0; word < 4; ++word) {
    for (int l = 0; l < kPhiloxLanes; ++l) {
      float* pair = factors + word * 2 * kPhiloxLanes + l;
      pair[0] = (random[word][l] & 0xFFFF) >= draw.threshold ? scale : 0.0F;
      pair[kPhiloxLanes] = (random[word][l] >> 16) >= draw.threshold ? scale : 0.0F;
    }
  }
}

/// Calls body(i, factor of i) for every element; whole blocks have a fixed length, so that they
/// become vector code.
template <class Body>
XFORMER_INLINE void for_each_element(const DropoutDraw& draw, int64_t begin, int64_t end,
                                     Body body) {
  float factors[kDropoutBlock];
  for (int64_t start = begin; start < end;) {
    const int64_t place = draw.first + start, offset = place % kDropoutBlock;
    const int64_t count = std::min(kDropoutBlock - offset, end - start);
    draw_factors(draw, place / kDropoutBlock, factors);
    if (count == kDropoutBlock) {
      for (int64_t i = 0; i < kDropoutBlock; ++i) body(start + i, factors[i]);
    } else {
      for (int64_t i = 0; i < count; ++i) body(start + i, factors[offset + i]);
    }
    start += count;
  }
}

}  // namespace

DropoutDraw DropoutDraw::with_probability(uint64_t key, double probability) {
  return {.key = key, .threshold = static_cast<uint32_t>(std::lround(probability * 65536))};
}

void dropout(const DropoutDraw& draw, const float* x, float* out, int64_t begin, int64_t end) {
  dropout_slice(draw, begin, end - begin, x + begin, out + begin);
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

XFORMER_CLONES void dropout_relu(const DropoutDraw& draw, const float* x, float* out, int64_t begin,
                                 int64_t end) {
  for_each_element(draw, begin, end,
                   [=](int64_t i, float factor) { out[i] = factor * (x[i] > 0 ? x[i] : 0.0F); });
}

XFORMER_CLONES void dropout_relu_backward(const DropoutDraw& draw, const float* y,
                                          const float* gradient, float* out, int64_t begin,
                                          int64_t end) {
  const float scale = draw.scale();
  for (int64_t i = begin; i < end; ++i) out[i] = y[i] > 0 ? scale * gradient[i] : 0.0F;
}

}  // namespace xformer
