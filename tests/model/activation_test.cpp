#include "model/activation.h"

#include <cmath>
#include <functional>

#include "catch.h"
#include "model/feed_forward.h"
#include "model/tiny_model.h"

namespace xformer {
namespace {

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

double formula(Activation activation, double x) {
  switch (activation) {
    case Activation::kRelu:
      return std::max(0.0, x);
    case Activation::kSwish:
      return x * sigmoid(x);
    case Activation::kGelu:
      return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
    case Activation::kGeluTanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Activation::kGeluSigmoid:
      return x * sigmoid(1.702 * x);
  }
  return 0;
}

Activation any_activation() {
  return GENERATE(Activation::kRelu, Activation::kSwish, Activation::kGelu, Activation::kGeluTanh,
                  Activation::kGeluSigmoid);
}

}  // namespace

TEST_CASE("activations equal their formulas") {
  const auto activation = any_activation();
  const auto x = torch::linspace(-9, 9, 73, torch::kFloat64), y = activate(x, activation);
  for (int64_t i = 0; i < x.numel(); ++i) {
    CHECK(y[i].item<double>() == Approx(formula(activation, x[i].item<double>())).margin(1e-12));
  }
}

TEST_CASE("the feed-forward network has its activation between its layers, with dropout behind") {
  auto config = tiny_config();
  config.activation = any_activation();
  PositionwiseFeedForward network(config);
  torch::NoGradGuard no_grad;
  const auto x = torch::randn({3, config.d_model});
  network->eval();
  const auto expected = network->w_2(activate(network->w_1(x), config.activation));
  CHECK(network(x).allclose(expected));
  network->train();
  CHECK_FALSE(network(x).allclose(expected));
}

}  // namespace xformer
