// Label smoothing (paper 5.4).
#pragma once

#include "libtorch.h"

namespace xformer {

/// Kullback-Leibler divergence from smoothed targets to the model's distribution, summed over all
/// rows. The target has 1 - smoothing, every other word but padding smoothing / (V - 2), padding
/// nothing; a row whose target is padding adds nothing. log_probs (N, V), target (N) int64 -> ()
torch::Tensor label_smoothed_loss(const torch::Tensor& log_probs, const torch::Tensor& target,
                                  double smoothing, int64_t pad);

/// Unsmoothed negative log-likelihood in nats, summed over rows whose target is not padding. -> ()
torch::Tensor negative_log_likelihood(const torch::Tensor& log_probs, const torch::Tensor& target,
                                      int64_t pad);

}  // namespace xformer
