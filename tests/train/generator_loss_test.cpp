#include "train/generator_loss.h"

#include "catch.h"
#include "train/difference.h"
#include "train/label_smoothing.h"
#include "train/precision.h"

namespace xformer {
namespace {

constexpr int64_t kRows = 1100, kModel = 8, kWords = 13, kPadding = 0;  // more than two chunks

}  // namespace

TEST_CASE("loss and gradients equal those of the plain generator and label smoothing") {
  const double smoothing = GENERATE(0.0, 0.1);
  torch::manual_seed(3);
  Generator generator(ModelConfig{.d_model = kModel}, kWords);
  torch::nn::init::normal_(generator->weight);
  torch::nn::init::normal_(generator->bias);
  const auto target = torch::randint(0, kWords, {kRows}, torch::kInt64);  // padding among them
  const auto hidden = torch::randn({kRows, kModel}).set_requires_grad(true);
  const auto plain_hidden = hidden.detach().clone().set_requires_grad(true);

  auto plain = label_smoothed_loss(generator(plain_hidden), target, smoothing, kPadding);
  (plain / 7).backward();
  const auto weight_gradient = generator->weight.grad().clone();
  const auto bias_gradient = generator->bias.grad().clone();
  generator->zero_grad();

  auto loss = generator_loss(generator, hidden, target, smoothing, kPadding);
  (loss / 7).backward();
  CHECK(loss.item<double>() == Approx(plain.item<double>()).epsilon(1e-5));
  CHECK(difference(hidden.grad(), plain_hidden.grad()) < 1e-6);
  CHECK(difference(generator->weight.grad(), weight_gradient) < 1e-4);
  CHECK(difference(generator->bias.grad(), bias_gradient) < 1e-4);
}

TEST_CASE("without a bias, and with padding elsewhere, they equal it too") {
  constexpr int64_t kLast = kWords - 1;
  Generator generator(ModelConfig{.d_model = kModel, .generator_bias = false}, kWords);
  torch::nn::init::normal_(generator->weight);
  const auto target = torch::randint(0, kWords, {kRows}, torch::kInt64);
  const auto hidden = torch::randn({kRows, kModel}).set_requires_grad(true);
  const auto plain_hidden = hidden.detach().clone().set_requires_grad(true);
  auto plain = label_smoothed_loss(generator(plain_hidden), target, 0.1, kLast);
  plain.backward();
  const auto weight_gradient = generator->weight.grad().clone();
  generator->zero_grad();
  auto loss = generator_loss(generator, hidden, target, 0.1, kLast);
  loss.backward();
  CHECK(loss.item<double>() == Approx(plain.item<double>()).epsilon(1e-5));
  CHECK(difference(hidden.grad(), plain_hidden.grad()) < 1e-5);
  CHECK(difference(generator->weight.grad(), weight_gradient) < 1e-3);
  CHECK_FALSE(generator->bias.grad().defined());
}

TEST_CASE("logits of bfloat16 give the loss of what they stand for, and gradients rounded once") {
  constexpr int64_t kManyWords = 77;  // with some that fill no vector
  torch::manual_seed(3);
  Generator generator(ModelConfig{.d_model = kModel}, kManyWords);
  torch::nn::init::normal_(generator->weight);
  torch::nn::init::normal_(generator->bias);
  auto rounded = [](const torch::Tensor& x) { return x.to(torch::kBFloat16).to(torch::kFloat32); };
  const auto target = torch::randint(0, kManyWords, {kRows}, torch::kInt64);
  const auto hidden = torch::randn({kRows, kModel}).to(torch::kBFloat16).set_requires_grad(true);

  // What autocast multiplies, in float32 but for the roundings themselves.
  const auto matrix = rounded(generator->weight.detach()), x = hidden.detach().to(torch::kFloat32);
  auto logits = (rounded(torch::mm(x, matrix.t())) + generator->bias.detach());
  logits.set_requires_grad(true);
  auto plain = label_smoothed_loss(logits.log_softmax(-1), target, 0.1, kPadding);
  plain.backward();
  const auto for_logits = rounded(logits.grad());

  torch::Tensor loss;
  {
    const AutocastScope autocast(Precision::kBfloat16, torch::kCPU);
    loss = generator_loss(generator, hidden, target, 0.1, kPadding);
  }
  loss.backward();
  CHECK(loss.item<double>() == Approx(plain.item<double>()).epsilon(1e-5));
  CHECK(hidden.grad().scalar_type() == torch::kBFloat16);
  CHECK(hidden.grad().allclose(torch::mm(for_logits, matrix).to(torch::kBFloat16), 0.02, 1e-3));
  CHECK(generator->weight.grad().allclose(torch::mm(for_logits.t(), x), 0.01, 0.3));
  CHECK(generator->bias.grad().allclose(logits.grad().sum(0), 1e-4, 1e-3));
}

TEST_CASE("rows of padding alone give no loss and no gradient") {
  Generator generator(ModelConfig{.d_model = kModel}, kWords);
  torch::nn::init::normal_(generator->weight);
  const auto hidden = torch::randn({5, kModel}).set_requires_grad(true);
  auto loss = generator_loss(generator, hidden, torch::zeros({5}, torch::kInt64), 0.1, kPadding);
  loss.backward();
  CHECK(loss.item<double>() == 0);
  CHECK(hidden.grad().abs().max().item<double>() == 0);
}

}  // namespace xformer
