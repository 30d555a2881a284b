// Scaled dot-product attention (paper 3.2.1) and its gradient for one head of one sequence, where
// sequences lie one after another without padding. Numbers are float or BFloat16; what is computed
// in between is float.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/bfloat16.h"
#include "kernels/dropout.h"

namespace xformer {

/// Where a sequence's rows are.
struct AttentionSpan {
  int64_t query_begin = 0, queries = 0;  ///< rows of the matrix of queries, T of them
  int64_t key_begin = 0, keys = 0;       ///< rows of the matrices of keys and values, S of them
  int64_t weights_begin = 0;             ///< of the first head's weights, in floats
};

/// What all sequences share. A matrix's row holds the heads side by side.
struct AttentionShape {
  int64_t heads = 0, d_k = 0;
  bool causal = false;  ///< query t attends to keys 0 ... t only
  std::optional<DropoutDraw> dropout;

  int64_t row() const { return heads * d_k; }
};

/// Floats that the weights of one head of a sequence take.
int64_t attention_weights_size(int64_t queries, int64_t keys);

template <class Number>
struct AttentionInputs {
  const Number *query, *key, *value;
};
template <class Number>
struct AttentionGradients {
  Number *query, *key, *value;
};

/// Memory of one thread, used again from call to call.
using AttentionScratch = std::vector<float>;

/// Writes the head's columns of `out` (as query) and, for the backward pass, its softmax weights.
template <class Number>
void attention(const AttentionShape& shape, const AttentionSpan& span, int64_t head,
               const AttentionInputs<Number>& in, float* weights, Number* out,
               AttentionScratch& scratch);

/// Writes the head's columns of the three gradients, from that of `out`.
template <class Number>
void attention_backward(const AttentionShape& shape, const AttentionSpan& span, int64_t head,
                        const AttentionInputs<Number>& in, const float* weights,
                        const Number* out_gradient, const AttentionGradients<Number>& gradients,
                        AttentionScratch& scratch);

}  // namespace xformer
