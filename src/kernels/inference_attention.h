// Attention of one query. A part of inference_body.h.

INLINE float dot(const float* a, const float* b, int64_t size) {
  Vector sums = Vector{};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) sums += load(a + i) * load(b + i);
  float sum = sum_of(sums);
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/// Turns scores into weights that sum to one.
INLINE void softmax(float* scores, int64_t count) {
  float largest = scores[0];
  for (int64_t i = 1; i < count; ++i) largest = scores[i] > largest ? scores[i] : largest;
  Vector sums = Vector{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vector v = exponential(load(scores + i) - largest);
    store(scores + i, v);
    sums += v;
  }
  float sum = sum_of(sums);
  for (; i < count; ++i) {
    scores[i] = exponential(scores[i] - largest);
    sum += scores[i];
  }
  const float inverse = 1.0F / sum;
  for (i = 0; i < count; ++i) scores[i] *= inverse;
}

/// out = sum of weights[j] * rows[j][offset .. offset + size), `width` vectors at a time.
template <int width>
INLINE void weighted_sum(const AttentionRow& row, int64_t offset, float* out) {
  Vector sums[width];
  for (int v = 0; v < width; ++v) sums[v] = Vector{};
  for (int64_t j = 0; j < row.count; ++j) {
    const Vector weight = all(row.scores[j]);
    const float* value = row.rows[j] + offset;
#pragma GCC unroll 8
    for (int v = 0; v < width; ++v) sums[v] += weight * load(value + v * kLanes);
  }
  for (int v = 0; v < width; ++v) store(out + v * kLanes, sums[v]);
}

void attention(const AttentionRow& row, float* out) {
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(row.d_k));
  for (int64_t head = 0; head < row.heads; ++head) {
    const int64_t at = head * row.d_k;
    for (int64_t j = 0; j < row.count; ++j) {
      row.scores[j] = dot(row.query + at, row.rows[j] + at, row.d_k) * scale;
    }
    softmax(row.scores, row.count);
    if (row.weights != nullptr) {
      for (int64_t j = 0; j < row.count; ++j) row.weights[j] += row.scores[j];
    }
    int64_t i = 0;
    const int64_t values = row.value_offset + at;
    for (; i + 4 * kLanes <= row.d_k; i += 4 * kLanes)
      weighted_sum<4>(row, values + i, out + at + i);
    for (; i + kLanes <= row.d_k; i += kLanes) weighted_sum<1>(row, values + i, out + at + i);
    for (; i < row.d_k; ++i) {
      float sum = 0;
      for (int64_t j = 0; j < row.count; ++j) sum += row.scores[j] * row.rows[j][values + i];
      out[at + i] = sum;
    }
  }
}
