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
  const auto insert = [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      if (logits[j] > least()) {
        insert_candidate(summary, k, static_cast<int32_t>(first + j), logits[j]);
      }
    }
  };
  constexpr int64_t kBlock = 4 * kLanes;
  for (i = 0; i + kBlock <= size; i += kBlock) {
    const float* block = logits + i;
    maxima = larger(larger(load(block), load(block + kLanes)),
                    larger(load(block + 2 * kLanes), load(block + 3 * kLanes)));
    if (largest_of(maxima) > least()) insert(i, i + kBlock);
  }
  insert(i, size);
}

void largest_of_panels(const float* logits, int64_t size, float* largest) {
  for (; size >= kPanel; size -= kPanel, logits += kPanel) {
    *largest++ = largest_of(larger(load(logits), load(logits + kLanes)));
  }
  if (size == 0) return;
  *largest = logits[0];
  for (int64_t i = 1; i < size; ++i) *largest = logits[i] > *largest ? logits[i] : *largest;
}
