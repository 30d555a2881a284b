#include "train/label_smoothing.h"

#include <cmath>

namespace xformer {
namespace {

/// x log x, continued to 0.
double entropy_term(double x) {
  return x > 0 ? x * std::log(x) : 0;
}

}  // namespace

torch::Tensor label_smoothed_loss(const torch::Tensor& log_probs, const torch::Tensor& target,
                                  double smoothing, int64_t pad) {
  const auto words = static_cast<double>(log_probs.size(-1) - 2);  // neither target nor padding
  const double share = smoothing / words, confidence = 1 - smoothing;
  const double negative_entropy = entropy_term(confidence) + words * entropy_term(share);

  auto on_target = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1);
  auto per_row = negative_entropy - confidence * on_target;
  if (smoothing > 0) {
    auto on_others = log_probs.sum(-1) - on_target - log_probs.select(-1, pad);
    per_row = per_row - share * on_others;
  }
  return per_row.masked_fill(target == pad, 0).sum();
}

torch::Tensor negative_log_likelihood(const torch::Tensor& log_probs, const torch::Tensor& target,
                                      int64_t pad) {
  auto on_target = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1);
  return -on_target.masked_fill(target == pad, 0).sum();
}

}  // namespace xformer
