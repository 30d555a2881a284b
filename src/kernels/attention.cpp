#include "kernels/attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/small_product.h"

namespace xformer {
namespace {

/// Parts of the scratch, taken one after another.
class ScratchParts {
 public:
  ScratchParts(AttentionScratch& scratch, int64_t floats) {
    if (static_cast<int64_t>(scratch.size()) < floats) scratch.resize(floats);
    next_ = scratch.data();
  }
  float* take(int64_t floats) { return std::exchange(next_, next_ + floats); }

 private:
  float* next_;
};

/// One head's columns of some rows: (rows, d_k), rows `row` numbers apart.
template <class Number>
struct HeadView {
  const Number* data;
  int64_t row, rows, d_k;
};

/// -> (rows, d_k padded to lanes)
template <class Number>
XFORMER_INLINE void gather(const HeadView<Number>& view, float scale, float* out) {
  const int64_t width = padded_to_lanes(view.d_k);
  for (int64_t i = 0; i < view.rows; ++i) {
    const Number* from = view.data + i * view.row;
    float* to = out + i * width;
    for (int64_t d = 0; d < view.d_k; ++d) to[d] = widened(from[d]) * scale;
    for (int64_t d = view.d_k; d < width; ++d) to[d] = 0;
  }
}

/// -> (d_k, rows padded to lanes)
template <class Number>
XFORMER_INLINE void gather_transposed(const HeadView<Number>& view, float* out) {
  const int64_t width = padded_to_lanes(view.rows);
  for (int64_t first = 0; first < width; first += kLanes) {
    const int64_t rows = std::min(kLanes, view.rows - first);
    const Number* from = view.data + first * view.row;
    int64_t d = 0;
    for (; d + kLanes <= view.d_k; d += kLanes) {
      Lanes square[kLanes] = {};
      for (int64_t i = 0; i < rows; ++i) load(from + i * view.row + d, square[i]);
      transpose(square);
      for (int64_t j = 0; j < kLanes; ++j) store(square[j], out + (d + j) * width + first);
    }
    for (; d < view.d_k; ++d) {
      float* to = out + d * width + first;
      for (int64_t i = 0; i < kLanes; ++i) {
        to[i] = i < rows ? widened(from[i * view.row + d]) : 0.0F;
      }
    }
  }
}

/// (rows, d_k padded to lanes) -> one head's columns, rows `row` numbers apart
template <class Number>
XFORMER_INLINE void scatter(const float* from, int64_t rows, int64_t d_k, Number* to, int64_t row) {
  const int64_t width = padded_to_lanes(d_k);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t d = 0; d < d_k; ++d) to[i * row + d] = narrowed<Number>(from[i * width + d]);
  }
}

/// Softmax of the first `count` of `width` scores, in place; the others become 0.
XFORMER_INLINE void softmax_row(float* scores, int64_t count, int64_t width) {
  for (int64_t s = count; s < width; ++s) scores[s] = -INFINITY;
  Lanes largest, lanes, total = {};
  load(scores, largest);
  for (int64_t s = kLanes; s < width; s += kLanes) {
    load(scores + s, lanes);
    largest = largest > lanes ? largest : lanes;
  }
  const float shift = largest_of(largest);
  for (int64_t s = 0; s < width; s += kLanes) {
    load(scores + s, lanes);
    lanes -= shift;
    exponentiate(lanes);
    total += lanes;
    store(lanes, scores + s);
  }
  const float factor = 1 / sum_of(total);
  for (int64_t s = 0; s < width; s += kLanes) {
    load(scores + s, lanes);
    lanes *= factor;
    store(lanes, scores + s);
  }
}

/// The gradient of softmax from that of the weights it gave, in place.
XFORMER_INLINE void softmax_backward_row(const float* weights, float* gradient, int64_t width) {
  Lanes w, g, total = {};
  for (int64_t s = 0; s < width; s += kLanes) {
    load(weights + s, w);
    load(gradient + s, g);
    total += w * g;
  }
  const float mean = sum_of(total);
  for (int64_t s = 0; s < width; s += kLanes) {
    load(weights + s, w);
    load(gradient + s, g);
    g = w * (g - mean);
    store(g, gradient + s);
  }
}

/// What both directions compute with: one head of one sequence.
struct Head {
  Head(const AttentionShape& shape, const AttentionSpan& span, int64_t head)
      : T(span.queries),
        S(span.keys),
        d_k(shape.d_k),
        row(shape.row()),
        query(span.query_begin * row + head * d_k),
        key(span.key_begin * row + head * d_k),
        weights(span.weights_begin + head * attention_weights_size(T, S)),
        width(padded_to_lanes(d_k)),
        keys_width(padded_to_lanes(S)),
        scale(1 / std::sqrt(static_cast<float>(d_k))) {}

  template <class Number>
  HeadView<Number> queries_of(const Number* matrix) const {
    return {matrix + query, row, T, d_k};
  }
  template <class Number>
  HeadView<Number> keys_of(const Number* matrix) const {
    return {matrix + key, row, S, d_k};
  }

  const int64_t T, S, d_k, row;
  const int64_t query, key, weights;  ///< first element in the matrices and in the weights
  const int64_t width, keys_width;    ///< d_k and S, padded to lanes
  const float scale;
};

}  // namespace

int64_t attention_weights_size(int64_t queries, int64_t keys) {
  const int64_t floats = queries * padded_to_lanes(keys);
  return (floats + kDropoutBlock - 1) / kDropoutBlock * kDropoutBlock;
}

template <class Number>
XFORMER_CLONES void attention(const AttentionShape& shape, const AttentionSpan& span, int64_t head,
                              const AttentionInputs<Number>& in, float* weights, Number* out,
                              AttentionScratch& scratch) {
  const Head h(shape, span, head);
  ScratchParts parts(scratch,
                     2 * h.T * h.width + h.d_k * h.keys_width + h.S * h.width + h.T * h.keys_width);
  float* query = parts.take(h.T * h.width);
  float* key_transposed = parts.take(h.d_k * h.keys_width);
  float* value = parts.take(h.S * h.width);
  float* dropped = parts.take(h.T * h.keys_width);
  float* context = parts.take(h.T * h.width);
  gather(h.queries_of(in.query), h.scale, query);
  gather_transposed(h.keys_of(in.key), key_transposed);
  gather(h.keys_of(in.value), 1, value);

  float* p = weights + h.weights;  // (T, keys_width)
  small_product({query, h.width, 1}, key_transposed, h.keys_width, p, h.keys_width, h.T, h.d_k,
                h.keys_width);
  for (int64_t t = 0; t < h.T; ++t) {
    softmax_row(p + t * h.keys_width, shape.causal ? t + 1 : h.S, h.keys_width);
  }
  const float* attended = p;
  if (shape.dropout) {
    dropout_slice(*shape.dropout, h.weights, h.T * h.keys_width, p, dropped);
    attended = dropped;
  }
  small_product({attended, h.keys_width, 1}, value, h.width, context, h.width, h.T, h.S, h.width);
  scatter(context, h.T, h.d_k, out + h.query, h.row);
}

template <class Number>
XFORMER_CLONES void attention_backward(const AttentionShape& shape, const AttentionSpan& span,
                                       int64_t head, const AttentionInputs<Number>& in,
                                       const float* weights, const Number* out_gradient,
                                       const AttentionGradients<Number>& gradients,
                                       AttentionScratch& scratch) {
  const Head h(shape, span, head);
  ScratchParts parts(scratch, 3 * h.T * h.width + 2 * h.S * h.width + h.d_k * h.keys_width +
                                  2 * h.T * h.keys_width);
  float* query = parts.take(h.T * h.width);
  float* key = parts.take(h.S * h.width);
  float* value_transposed = parts.take(h.d_k * h.keys_width);
  float* gradient = parts.take(h.T * h.width);
  float* dropped = parts.take(h.T * h.keys_width);
  float* scores = parts.take(h.T * h.keys_width);  // their gradient
  float* for_queries = parts.take(h.T * h.width);
  float* for_keys = parts.take(h.S * h.width);
  gather(h.queries_of(in.query), h.scale, query);
  gather(h.keys_of(in.key), 1, key);
  gather_transposed(h.keys_of(in.value), value_transposed);
  gather(h.queries_of(out_gradient), 1, gradient);

  const float* p = weights + h.weights;
  const float* attended = p;
  const int64_t size = h.T * h.keys_width;
  if (shape.dropout) {
    dropout_slice(*shape.dropout, h.weights, size, p, dropped);
    attended = dropped;
  }
  small_product({attended, 1, h.keys_width}, gradient, h.width, for_keys, h.width, h.S, h.T,
                h.width);
  scatter(for_keys, h.S, h.d_k, gradients.value + h.key, h.row);

  small_product({gradient, h.width, 1}, value_transposed, h.keys_width, scores, h.keys_width, h.T,
                h.d_k, h.keys_width);
  if (shape.dropout) dropout_slice(*shape.dropout, h.weights, size, scores, scores);
  for (int64_t t = 0; t < h.T; ++t) {
    softmax_backward_row(p + t * h.keys_width, scores + t * h.keys_width, h.keys_width);
  }
  small_product({scores, 1, h.keys_width}, query, h.width, for_keys, h.width, h.S, h.T, h.width);
  scatter(for_keys, h.S, h.d_k, gradients.key + h.key, h.row);

  small_product({scores, h.keys_width, 1}, key, h.width, for_queries, h.width, h.T, h.S, h.width);
  for (int64_t i = 0; i < h.T * h.width; ++i) for_queries[i] *= h.scale;
  scatter(for_queries, h.T, h.d_k, gradients.query + h.query, h.row);
}

template void attention(const AttentionShape&, const AttentionSpan&, int64_t,
                        const AttentionInputs<float>&, float*, float*, AttentionScratch&);
template void attention(const AttentionShape&, const AttentionSpan&, int64_t,
                        const AttentionInputs<BFloat16>&, float*, BFloat16*, AttentionScratch&);
template void attention_backward(const AttentionShape&, const AttentionSpan&, int64_t,
                                 const AttentionInputs<float>&, const float*, const float*,
                                 const AttentionGradients<float>&, AttentionScratch&);
template void attention_backward(const AttentionShape&, const AttentionSpan&, int64_t,
                                 const AttentionInputs<BFloat16>&, const float*, const BFloat16*,
                                 const AttentionGradients<BFloat16>&, AttentionScratch&);

}  // namespace xformer
