// Attention of one query. A part of inference_body.h.

typedef uint16_t HalfVector __attribute__((vector_size(kLanes * 2), aligned(2), may_alias));
typedef uint32_t BitVector __attribute__((vector_size(kLanes * 4)));
/// What is read as one: two vectors.
constexpr int64_t kPair = 2 * kLanes;

IntVector widen(HalfVector halves);
INLINE Vector load(const BFloat16* from) {
  return reinterpret_cast<Vector>(widen(*reinterpret_cast<const HalfVector*>(from)) << 16);
}
INLINE void load_pair(const float* from, Vector (&pair)[2]) {
  pair[0] = load(from);
  pair[1] = load(from + kLanes);
}
/// In bfloat16 the second vector lies in the upper halves of 32-bit numbers, the first in the lower
/// ones: that takes no shuffle.
INLINE void load_pair(const BFloat16* from, Vector (&pair)[2]) {
  const auto both = reinterpret_cast<BitVector>(load(reinterpret_cast<const int32_t*>(from)));
  pair[0] = reinterpret_cast<Vector>(both << 16);
  pair[1] = reinterpret_cast<Vector>(both & 0xFFFF0000U);
}
INLINE BitVector round_up(Vector v) {
  const auto bits = reinterpret_cast<BitVector>(v);
  return bits + 0x7FFFU + (bits >> 16 & 1U);
}
INLINE void store_pair(const float* from, BFloat16* to) {
  const BitVector first = round_up(load(from)), second = round_up(load(from + kLanes));
  *reinterpret_cast<LooseIntVector*>(to) =
      reinterpret_cast<IntVector>((first >> 16) | (second & 0xFFFF0000U));
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

/// What a key that is not there scores: it weighs nothing.
constexpr float kNoScore = -1e30F;

/// query keys[0], query keys[1], ... in turns, over d_k numbers.
template <class Number>
INLINE Vector score_four(const float* query, const Number* const (&keys)[4], int64_t d_k) {
  Vector sums[4] = {};
  int64_t i = 0;
  for (; i + kPair <= d_k; i += kPair) {
    const Vector left = load(query + i), right = load(query + i + kLanes);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      Vector key[2];
      load_pair(keys[k] + i, key);
      sums[k] += left * key[0];
      sums[k] += right * key[1];
    }
  }
  for (; i + kLanes <= d_k; i += kLanes) {
    const Vector part = load(query + i);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) sums[k] += part * load(keys[k] + i);
  }
  for (; i < d_k; ++i) {
    for (int k = 0; k < 4; ++k) sums[k][0] += query[i] * widened(keys[k][i]);
  }
  return sums_of(sums);
}

/// The scores of one head's keys from `first` on, in one vector: memory that was written in parts
/// is slow to read as a whole.
template <class Number>
INLINE Vector score_keys(const AttentionRow& row, int64_t head, int64_t first) {
  const int64_t at = head * row.d_k;
  Vector scores = all(kNoScore);
  for (int32_t group = 0; group < kLanes / 4 && first + 4 * group < row.count; ++group) {
    const Number* keys[4];
    for (int64_t k = 0; k < 4; ++k) {
      const int64_t j = first + 4 * group + k;
      keys[k] = static_cast<const Number*>(row.rows[j < row.count ? j : row.count - 1]) + at;
      fetch_next<Number>(row, j, at);
    }
    const Vector four = score_four(row.query + at, keys, row.d_k);
    scores = lanes() >= 4 * group ? four : scores;
  }
  const auto left = static_cast<int32_t>(row.count - first);
  return lanes() < left ? scores : all(kNoScore);
}

/// Scores all keys of one head, and returns the largest score.
template <class Number>
INLINE float score_head(const AttentionRow& row, int64_t head, float* scores) {
  Vector maxima = all(kNoScore);
  for (int64_t first = 0; first < row.count; first += kLanes) {
    const Vector part = score_keys<Number>(row, head, first);
    store(scores + first, part);
    maxima = larger(maxima, part);
  }
  return largest_of(maxima);
}

/// Turns scores into weights, and returns what these have to be multiplied by to sum to one.
INLINE float weigh_keys(float* scores, int64_t count, float largest, float scale) {
  Vector sums = Vector{};
  for (int64_t i = 0; i < count; i += kLanes) {
    const Vector weights = exponential((load(scores + i) - largest) * scale);
    store(scores + i, weights);
    sums += weights;
  }
  return 1.0F / sum_of(sums);
}

/// The weights of one head's values: each times the factor.
struct HeadWeights {
  const float* of_keys;
  float factor;
};

/// out = sum of weights[j] * rows[j][offset ...), so many pairs of vectors at a time.
template <int pairs, class Number>
INLINE void weighted_pairs(const AttentionRow& row, const HeadWeights& weights, int64_t offset,
                           float* out) {
  Vector sums[pairs][2];
  for (int p = 0; p < pairs; ++p) sums[p][0] = sums[p][1] = Vector{};
  for (int64_t j = 0; j < row.count; ++j) {
    const Vector weight = all(weights.of_keys[j]);
    const Number* value = static_cast<const Number*>(row.rows[j]) + offset;
#pragma GCC unroll 4
    for (int p = 0; p < pairs; ++p) {
      Vector pair[2];
      load_pair(value + p * kPair, pair);
      sums[p][0] += weight * pair[0];
      sums[p][1] += weight * pair[1];
    }
  }
  for (int p = 0; p < pairs; ++p) {
    for (int half = 0; half < 2; ++half) {
      store(out + p * kPair + half * kLanes, sums[p][half] * weights.factor);
    }
  }
}

/// The same for less than a pair.
template <class Number>
INLINE void weighted_rest(const AttentionRow& row, const HeadWeights& weights, int64_t offset,
                          int64_t size, float* out) {
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    Vector sum = Vector{};
    for (int64_t j = 0; j < row.count; ++j) {
      sum += all(weights.of_keys[j]) * load(static_cast<const Number*>(row.rows[j]) + offset + i);
    }
    store(out + i, sum * weights.factor);
  }
  for (; i < size; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < row.count; ++j) {
      sum += weights.of_keys[j] * widened(static_cast<const Number*>(row.rows[j])[offset + i]);
    }
    out[i] = sum * weights.factor;
  }
}

/// One head's context: as many vectors at a time as it has, up to eight.
template <int pairs, class Number>
INLINE void weigh_values(const AttentionRow& row, const HeadWeights& weights, int64_t offset,
                         int64_t size, float* out) {
  int64_t i = 0;
  for (; i + pairs * kPair <= size; i += pairs * kPair) {
    weighted_pairs<pairs, Number>(row, weights, offset + i, out + i);
  }
  if (i == size) return;
  if constexpr (pairs > 1) {
    weigh_values<pairs / 2, Number>(row, weights, offset + i, size - i, out + i);
  } else {
    weighted_rest<Number>(row, weights, offset + i, size - i, out + i);
  }
}

/// One step after the other for all heads, so that the processor has several to work on at once.
template <class Number>
INLINE void attend(const AttentionRow& row, float* out) {
  const int64_t stride = score_stride(row);
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(row.d_k));
  float* of_heads = row.scores + row.heads * stride;  // the largest score, then the factor
  for (int64_t head = 0; head < row.heads; ++head) {
    of_heads[head] = score_head<Number>(row, head, row.scores + head * stride);
  }
  for (int64_t head = 0; head < row.heads; ++head) {
    float* scores = row.scores + head * stride;
    of_heads[head] = weigh_keys(scores, row.count, of_heads[head], scale);
    if (row.weights == nullptr) continue;
    for (int64_t j = 0; j < row.count; ++j) row.weights[j] += scores[j] * of_heads[head];
  }
  for (int64_t head = 0; head < row.heads; ++head) {
    const int64_t at = head * row.d_k;
    weigh_values<4, Number>(row, {row.scores + head * stride, of_heads[head]},
                            row.value_offset + at, row.d_k, out + at);
  }
}

void attention(const AttentionRow& row, float* out) {
  attend<float>(row, out);
}

void attention_bfloat16(const AttentionRow& row, float* out) {
  attend<BFloat16>(row, out);
}

void to_bfloat16(const float* x, int64_t size, int64_t d_k, BFloat16* out) {
  for (const float* end = x + size; x < end; x += d_k, out += d_k) {
    int64_t i = 0;
    for (; i + kPair <= d_k; i += kPair) store_pair(x + i, out + i);
    for (; i < d_k; ++i) out[i] = nearest_bfloat16(x[i]);
  }
}
