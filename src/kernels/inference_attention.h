// Attention of one query. A part of inference_body.h.

typedef uint16_t HalfVector __attribute__((vector_size(kLanes * 2), aligned(2), may_alias));

IntVector widen(HalfVector halves);
INLINE Vector load(const BFloat16* from) {
  return reinterpret_cast<Vector>(widen(*reinterpret_cast<const HalfVector*>(from)) << 16);
}

/// Asks for one head of the next query's key j and of its value.
template <class Number>
INLINE void fetch_next(const AttentionRow& row, int64_t j, int64_t at) {
  if (j >= row.next_count) return;
  constexpr int64_t kLine = 64 / sizeof(Number);
  const Number* key = static_cast<const Number*>(row.next_rows[j]) + at;
  for (int64_t i = 0; i < row.d_k; i += kLine) {
    __builtin_prefetch(key + i);
    __builtin_prefetch(key + row.value_offset + i);
  }
}

/// From one head's scores to the next one's.
INLINE int64_t score_stride(const AttentionRow& row) {
  return (row.count + kLanes - 1) / kLanes * kLanes;
}

/// The scores of four keys, head by head; behind the last key, those of the last again.
template <class Number>
INLINE void score_keys(const AttentionRow& row, int64_t first) {
  const Number* keys[4];
  for (int64_t k = 0; k < 4; ++k) {
    const int64_t j = first + k < row.count ? first + k : row.count - 1;
    keys[k] = static_cast<const Number*>(row.rows[j]);
  }
  const float* query = row.query;
  float* scores = row.scores + first;
  for (int64_t head = 0; head < row.heads; ++head) {
    for (int64_t k = 0; k < 4; ++k) fetch_next<Number>(row, first + k, head * row.d_k);
    Vector sums[4] = {};
    int64_t i = 0;
    for (; i + kLanes <= row.d_k; i += kLanes) {
      const Vector part = load(query + i);
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) sums[k] += part * load(keys[k] + i);
    }
    store_sums(scores, sums);
    for (; i < row.d_k; ++i) {
      for (int k = 0; k < 4; ++k) scores[k] += query[i] * widened(keys[k][i]);
    }
    query += row.d_k;
    for (auto& key : keys) key += row.d_k;
    scores += score_stride(row);
  }
}

/// Turns `count` scores, and what room is behind them up to whole vectors, into weights that sum to
/// one.
INLINE void softmax(float* scores, int64_t count, int64_t stride, float scale) {
  for (int64_t i = count; i < stride; ++i) scores[i] = -1e30F;
  Vector maxima = load(scores);
  for (int64_t i = kLanes; i < stride; i += kLanes) maxima = larger(maxima, load(scores + i));
  const float largest = largest_of(maxima);
  Vector sums = Vector{};
  for (int64_t i = 0; i < stride; i += kLanes) {
    const Vector v = exponential((load(scores + i) - largest) * scale);
    store(scores + i, v);
    sums += v;
  }
  const float inverse = 1.0F / sum_of(sums);
  for (int64_t i = 0; i < stride; i += kLanes) store(scores + i, load(scores + i) * inverse);
}

/// out = sum of weights[j] * rows[j][offset .. offset + size), `width` vectors at a time.
template <int width, class Number>
INLINE void weighted_sum(const AttentionRow& row, const float* weights, int64_t offset,
                         float* out) {
  Vector sums[width];
  for (int v = 0; v < width; ++v) sums[v] = Vector{};
  for (int64_t j = 0; j < row.count; ++j) {
    const Vector weight = all(weights[j]);
    const Number* value = static_cast<const Number*>(row.rows[j]) + offset;
#pragma GCC unroll 8
    for (int v = 0; v < width; ++v) sums[v] += weight * load(value + v * kLanes);
  }
  for (int v = 0; v < width; ++v) store(out + v * kLanes, sums[v]);
}

/// One head's context: as many vectors at a time as it has, up to eight.
template <int width, class Number>
INLINE void weigh_values(const AttentionRow& row, const float* weights, int64_t offset,
                         int64_t size, float* out) {
  int64_t i = 0;
  for (; i + width * kLanes <= size; i += width * kLanes) {
    weighted_sum<width, Number>(row, weights, offset + i, out + i);
  }
  if constexpr (width > 1) {
    if (i < size) weigh_values<width / 2, Number>(row, weights, offset + i, size - i, out + i);
  } else {
    for (; i < size; ++i) {
      float sum = 0;
      for (int64_t j = 0; j < row.count; ++j) {
        sum += weights[j] * widened(static_cast<const Number*>(row.rows[j])[offset + i]);
      }
      out[i] = sum;
    }
  }
}

/// One step after the other for all heads, so that the processor has several to work on at once.
template <class Number>
INLINE void attend(const AttentionRow& row, float* out) {
  const int64_t stride = score_stride(row);
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(row.d_k));
  for (int64_t j = 0; j < row.count; j += 4) score_keys<Number>(row, j);
  for (int64_t head = 0; head < row.heads; ++head) {
    float* scores = row.scores + head * stride;
    softmax(scores, row.count, stride, scale);
    if (row.weights == nullptr) continue;
    for (int64_t j = 0; j < row.count; ++j) row.weights[j] += scores[j];
  }
  for (int64_t head = 0; head < row.heads; ++head) {
    const int64_t at = head * row.d_k;
    weigh_values<8, Number>(row, row.scores + head * stride, row.value_offset + at, row.d_k,
                            out + at);
  }
}

void attention(const AttentionRow& row, float* out) {
  attend<float>(row, out);
}

void attention_bfloat16(const AttentionRow& row, float* out) {
  attend<BFloat16>(row, out);
}

void to_bfloat16(const float* x, int64_t size, BFloat16* out) {
  for (int64_t i = 0; i < size; ++i) out[i] = nearest_bfloat16(x[i]);
}
