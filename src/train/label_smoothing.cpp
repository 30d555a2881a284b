#include "train/label_smoothing.h"

#include "kernels/smoothed_loss.h"

namespace xformer {

torch::Tensor label_smoothed_loss(const torch::Tensor& log_probs, const torch::Tensor& target,
                                  double smoothing, int64_t pad) {
  const SmoothedTarget spread{.words = log_probs.size(-1), .smoothing = smoothing, .pad = pad};
  auto on_target = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1);
  auto per_row = spread.negative_entropy() - spread.confidence() * on_target;
  if (smoothing > 0) {
    auto on_others = log_probs.sum(-1) - on_target - log_probs.select(-1, pad);
    per_row = per_row - spread.share() * on_others;
  }
  return per_row.masked_fill(target == pad, 0).sum();
}

torch::Tensor negative_log_likelihood(const torch::Tensor& log_probs, const torch::Tensor& target,
                                      int64_t pad) {
  auto on_target = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1);
  return -on_target.masked_fill(target == pad, 0).sum();
}

}  // namespace xformer
