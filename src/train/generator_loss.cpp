#include "train/generator_loss.h"

#include "train/label_smoothing.h"

namespace xformer {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// Rows of logits in memory at a time: small enough for the cache, large enough for the products.
constexpr int64_t kChunkRows = 512;

/// d loss / d logits, made in place of the log-probabilities: softmax minus the smoothed
/// distribution; 0 for padding.
torch::Tensor turn_into_gradient(torch::Tensor log_probs, const torch::Tensor& target,
                                 double smoothing, int64_t pad) {
  const double share = smoothing / static_cast<double>(log_probs.size(-1) - 2);
  auto gradient = log_probs.exp_().sub_(share);
  gradient.select(-1, pad).add_(share);
  const auto on_target = target.unsqueeze(-1);
  gradient.scatter_add_(-1, on_target,
                        torch::full_like(on_target, share - (1 - smoothing), gradient.options()));
  return gradient.masked_fill_(on_target == pad, 0);
}

struct GeneratorLossFunction : torch::autograd::Function<GeneratorLossFunction> {
  static Variable forward(AutogradContext* context, const Variable& hidden, const Variable& weight,
                          const Variable& bias, const torch::Tensor& target, double smoothing,
                          int64_t pad) {
    auto hidden_gradient = torch::empty_like(hidden);
    auto weight_gradient = torch::zeros_like(weight), bias_gradient = torch::zeros_like(bias);
    auto loss = torch::zeros({}, hidden.options());
    for (int64_t start = 0; start < hidden.size(0); start += kChunkRows) {
      const int64_t rows = std::min(kChunkRows, hidden.size(0) - start);
      const auto x = hidden.narrow(0, start, rows), y = target.narrow(0, start, rows);
      auto log_probs =
          torch::addmm(bias, x, weight.t()).to(torch::kFloat32).log_softmax(-1);  // (rows, V)
      loss += label_smoothed_loss(log_probs, y, smoothing, pad);
      const auto gradient = turn_into_gradient(log_probs, y, smoothing, pad);
      auto x_gradient = hidden_gradient.narrow(0, start, rows);
      torch::mm_out(x_gradient, gradient, weight);
      weight_gradient.addmm_(gradient.t(), x);
      bias_gradient += gradient.sum(0);
    }
    context->save_for_backward({hidden_gradient, weight_gradient, bias_gradient});
    return loss;
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& factor = gradients[0];
    // The products were made for this one use, so they may be scaled in place.
    return {saved[0].mul_(factor), saved[1].mul_(factor), saved[2].mul_(factor), {}, {}, {}};
  }
};

}  // namespace

torch::Tensor generator_loss(const Generator& generator, const torch::Tensor& hidden,
                             const torch::Tensor& target, double smoothing, int64_t pad) {
  return GeneratorLossFunction::apply(hidden, generator->weight, generator->bias, target, smoothing,
                                      pad);
}

}  // namespace xformer
