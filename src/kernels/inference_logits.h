// From logits to log-sum-exp and the best candidates. A part of inference_body.h.

/// Puts a logit that belongs among the k best into its place; of equal ones the first stays ahead.
INLINE void insert_candidate(LogitSummary& summary, int64_t k, int32_t id, float logit) {
  int64_t place = summary.count < k ? summary.count++ : k - 1;
  for (; place > 0 && summary.logits[place - 1] < logit; --place) {
    summary.ids[place] = summary.ids[place - 1];
    summary.logits[place] = summary.logits[place - 1];
  }
  summary.ids[place] = id;
  summary.logits[place] = logit;
}

void summarize(const float* logits, int64_t first, int64_t size, int64_t k, bool sum,
               LogitSummary& summary) {
  constexpr float kLeast = -__builtin_inff();
  Vector maxima = all(kLeast);
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) maxima = larger(maxima, load(logits + i));
  float largest = largest_of(maxima);
  for (; i < size; ++i) largest = logits[i] > largest ? logits[i] : largest;
  if (largest == kLeast) return;

  if (sum) {
    if (largest > summary.largest) {
      summary.sum *= exponential(summary.largest - largest);
      summary.largest = largest;
    }
    Vector sums = Vector{};
    for (i = 0; i + kLanes <= size; i += kLanes) {
      sums += exponential(load(logits + i) - summary.largest);
    }
    summary.sum += sum_of(sums);
    for (; i < size; ++i) summary.sum += exponential(logits[i] - summary.largest);
  }

  const auto least = [&] { return summary.count < k ? kLeast : summary.logits[k - 1]; };
  if (!(largest > least())) return;
  constexpr int64_t kBlock = 4 * kLanes;
  for (int64_t begin = 0; begin < size; begin += kBlock) {
    const int64_t end = begin + kBlock < size ? begin + kBlock : size;
    float block = kLeast;
    for (i = begin; i < end; ++i) block = logits[i] > block ? logits[i] : block;
    if (!(block > least())) continue;
    for (i = begin; i < end; ++i) {
      if (logits[i] > least()) {
        insert_candidate(summary, k, static_cast<int32_t>(first + i), logits[i]);
      }
    }
  }
}

void largest_of_panels(const float* logits, int64_t size, float* largest) {
  for (; size >= kPanel; size -= kPanel, logits += kPanel) {
    *largest++ = largest_of(larger(load(logits), load(logits + kLanes)));
  }
  if (size == 0) return;
  *largest = logits[0];
  for (int64_t i = 1; i < size; ++i) *largest = logits[i] > *largest ? logits[i] : *largest;
}
