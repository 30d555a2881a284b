// Label smoothing (paper 5.4) and its gradient in one visit of a row of logits.
#pragma once

#include <cstdint>

#include "kernels/bfloat16.h"

namespace xformer {

/// How the probability of a target is spread: 1 - smoothing on it, smoothing / (words - 2) on every
/// other word, nothing on padding.
struct SmoothedTarget {
  int64_t words = 0;
  double smoothing = 0;
  int64_t pad = 0;

  double confidence() const { return 1 - smoothing; }
  /// Words that are neither target nor padding.
  double others() const { return static_cast<double>(words - 2); }
  /// What each of them has.
  double share() const { return smoothing / others(); }
  /// Sum of p log p over the words: what the divergence of a perfect model takes off.
  double negative_entropy() const;
};

/// Adds `bias` to a row of logits and returns the divergence of their softmax from the smoothed
/// `target` (nats), which is not padding. The row, of float or BFloat16, becomes the gradient with
/// respect to the biased logits, which is added to bias_gradient before it is rounded. `scratch`
/// has room for a row and may be the row itself.
template <class Number>
double smoothed_loss(const SmoothedTarget& spread, int64_t target, const float* bias, Number* row,
                     float* scratch, float* bias_gradient);

}  // namespace xformer
