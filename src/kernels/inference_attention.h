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

/// The scores of one head's keys, four keys at a time.
template <class Number>
INLINE void score_keys(const AttentionRow& row, int64_t at) {
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(row.d_k));
  const float* query = row.query + at;
  for (int64_t j = 0; j < row.count; j += 4) {
    const Number* keys[4];
    for (int64_t k = 0; k < 4; ++k) {
      const void* key = row.rows[j + k < row.count ? j + k : row.count - 1];
      keys[k] = static_cast<const Number*>(key) + at;
      fetch_next<Number>(row, j + k, at);
    }
    Vector sums[4] = {};
    int64_t i = 0;
    for (; i + kLanes <= row.d_k; i += kLanes) {
      const Vector part = load(query + i);
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) sums[k] += part * load(keys[k] + i);
    }
    float scores[4];
    store_sums(scores, sums);
    for (; i < row.d_k; ++i) {
      for (int k = 0; k < 4; ++k) scores[k] += query[i] * widened(keys[k][i]);
    }
    for (int64_t k = 0; k < 4 && j + k < row.count; ++k) row.scores[j + k] = scores[k] * scale;
  }
}

/// Turns scores into weights that sum to one.
INLINE void softmax(float* scores, int64_t count) {
  const int64_t whole = count / kLanes * kLanes;
  float rest[kLanes];  // the last ones, and what weighs nothing
  for (int64_t i = 0; i < kLanes; ++i) rest[i] = whole + i < count ? scores[whole + i] : -1e30F;
  Vector maxima = load(rest);
  for (int64_t i = 0; i < whole; i += kLanes) maxima = larger(maxima, load(scores + i));
  const float largest = largest_of(maxima);

  const Vector last = exponential(load(rest) - largest);
  Vector sums = last;
  for (int64_t i = 0; i < whole; i += kLanes) {
    const Vector v = exponential(load(scores + i) - largest);
    store(scores + i, v);
    sums += v;
  }
  const float inverse = 1.0F / sum_of(sums);
  for (int64_t i = 0; i < whole; i += kLanes) store(scores + i, load(scores + i) * inverse);
  store(rest, last * inverse);
  for (int64_t i = whole; i < count; ++i) scores[i] = rest[i - whole];
}

/// out = sum of weights[j] * rows[j][offset .. offset + size), `width` vectors at a time.
template <int width, class Number>
INLINE void weighted_sum(const AttentionRow& row, int64_t offset, float* out) {
  Vector sums[width];
  for (int v = 0; v < width; ++v) sums[v] = Vector{};
  for (int64_t j = 0; j < row.count; ++j) {
    const Vector weight = all(row.scores[j]);
    const Number* value = static_cast<const Number*>(row.rows[j]) + offset;
#pragma GCC unroll 8
    for (int v = 0; v < width; ++v) sums[v] += weight * load(value + v * kLanes);
  }
  for (int v = 0; v < width; ++v) store(out + v * kLanes, sums[v]);
}

template <class Number>
INLINE void attend(const AttentionRow& row, float* out) {
  for (int64_t head = 0; head < row.heads; ++head) {
    const int64_t at = head * row.d_k;
    score_keys<Number>(row, at);
    softmax(row.scores, row.count);
    if (row.weights != nullptr) {
      for (int64_t j = 0; j < row.count; ++j) row.weights[j] += row.scores[j];
    }
    int64_t i = 0;
    const int64_t values = row.value_offset + at;
    for (; i + 8 * kLanes <= row.d_k; i += 8 * kLanes) {
      weighted_sum<8, Number>(row, values + i, out + at + i);
    }
    for (; i + 2 * kLanes <= row.d_k; i += 2 * kLanes) {
      weighted_sum<2, Number>(row, values + i, out + at + i);
    }
    for (; i + kLanes <= row.d_k; i += kLanes)
      weighted_sum<1, Number>(row, values + i, out + at + i);
    for (; i < row.d_k; ++i) {
      float sum = 0;
      for (int64_t j = 0; j < row.count; ++j) {
        sum += row.scores[j] * widened(static_cast<const Number*>(row.rows[j])[values + i]);
      }
      out[at + i] = sum;
    }
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
