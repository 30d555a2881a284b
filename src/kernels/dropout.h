// Dropout fused with what stands around it in a Transformer layer. Nothing is stored for the
// backward pass: the same key draws the same decisions again. Numbers are float or BFloat16.
#pragma once

#include <cstdint>

#include "kernels/bfloat16.h"

namespace xformer {

/// Which elements are dropped: a function of the key and an element's place alone.
struct DropoutDraw {
  uint64_t key = 0;
  uint32_t threshold = 0;  ///< of 65536: the probability of being dropped
  int64_t first = 0;       ///< place of the element that is called 0 below

  static DropoutDraw with_probability(uint64_t key, double probability);
  /// What kept elements are multiplied by, so that the expectation stays.
  float scale() const { return 65536.0F / static_cast<float>(65536 - threshold); }
};

/// Elements whose decisions are drawn together: places that are a multiple of it begin a range
/// best.
inline constexpr int64_t kDropoutBlock = 256;

/// out[i] = keep(i) * scale * x[i] for i in [begin, end)
template <class Number>
void dropout(const DropoutDraw& draw, const Number* x, Number* out, int64_t begin, int64_t end);

/// out[j] = keep(first + j) * scale * x[j] for j in [0, count): a part that lies elsewhere than the
/// whole. out may be x.
void dropout_slice(const DropoutDraw& draw, int64_t first, int64_t count, const float* x,
                   float* out);

/// out[i] = residual[i] + keep(i) * scale * x[i]
void dropout_add(const DropoutDraw& draw, const float* x, const float* residual, float* out,
                 int64_t begin, int64_t end);

/// out[i] = keep(i) * scale * max(0, x[i])
template <class Number>
void dropout_relu(const DropoutDraw& draw, const Number* x, Number* out, int64_t begin,
                  int64_t end);

/// The gradient of dropout_relu from its output: out[i] = y[i] > 0 ? scale * gradient[i] : 0
template <class Number>
void dropout_relu_backward(const DropoutDraw& draw, const Number* y, const Number* gradient,
                           Number* out, int64_t begin, int64_t end);

}  // namespace xformer
