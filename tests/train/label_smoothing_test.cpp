#include "train/label_smoothing.h"

#include "catch.h"

namespace xformer {
namespace {

torch::Tensor random_log_probs(int64_t rows, int64_t words) {
  torch::manual_seed(5);
  return torch::randn({rows, words}, torch::kFloat64).log_softmax(-1);
}

/// The smoothed distribution written out, and torch's own divergence.
double by_torch(const torch::Tensor& log_probs, const torch::Tensor& target, double smoothing) {
  const auto words = log_probs.size(1);
  auto distribution = torch::full_like(log_probs, smoothing / static_cast<double>(words - 2));
  distribution.scatter_(1, target.unsqueeze(1), 1 - smoothing);
  distribution.select(1, 0).zero_();
  distribution.masked_fill_((target == 0).unsqueeze(1), 0);
  return torch::kl_div(log_probs, distribution, at::Reduction::Sum).item<double>();
}

}  // namespace

TEST_CASE("the loss is torch's Kullback-Leibler divergence from the smoothed distribution") {
  const double smoothing = GENERATE(0.0, 0.1, 0.4);
  const auto log_probs = random_log_probs(6, 9);
  const auto target = torch::tensor({3, 1, 0, 8, 5, 0}, torch::kInt64);
  CHECK(label_smoothed_loss(log_probs, target, smoothing, 0).item<double>() ==
        Approx(by_torch(log_probs, target, smoothing)));
}

TEST_CASE("without smoothing it is torch's cross-entropy, and so is the unsmoothed likelihood") {
  const auto log_probs = random_log_probs(4, 7);
  const auto target = torch::tensor({2, 6, 0, 1}, torch::kInt64);
  const double expected =
      torch::nll_loss(log_probs, target, {}, at::Reduction::Sum, 0).item<double>();
  CHECK(label_smoothed_loss(log_probs, target, 0, 0).item<double>() == Approx(expected));
  CHECK(negative_log_likelihood(log_probs, target, 0).item<double>() == Approx(expected));
}

TEST_CASE("rows of padding add nothing, to loss or gradient") {
  auto log_probs = random_log_probs(3, 6).set_requires_grad(true);
  const auto target = torch::zeros({3}, torch::kInt64);
  auto loss = label_smoothed_loss(log_probs, target, 0.1, 0);
  loss.backward();
  CHECK(loss.item<double>() == 0);
  CHECK(log_probs.grad().abs().max().item<double>() == 0);
}

}  // namespace xformer
