#include "model/dropout.h"

#include <ATen/Parallel.h>

#include "catch.h"
#include "kernels/dropout_stream.h"

namespace xformer {
namespace {

constexpr double kProbability = 0.3;

torch::Tensor leaf(torch::IntArrayRef sizes) {
  return torch::randn(sizes).set_requires_grad(true);
}

/// The factors that the first call after this start multiplies by, read off an input of ones.
torch::Tensor factors(torch::IntArrayRef sizes) {
  start_dropout_stream({.seed = 11});
  Dropout dropout(kProbability);
  return dropout(torch::ones(sizes));
}

}  // namespace

TEST_CASE("forward and gradient multiply by the same factors") {
  const auto x = leaf({37, 19});
  const auto factor = factors(x.sizes());
  Dropout dropout(kProbability);
  start_dropout_stream({.seed = 11});
  auto y = dropout(x);
  y.backward(torch::full_like(y, 3));
  CHECK(y.allclose(x * factor));
  CHECK(x.grad().allclose(3 * factor));
}

TEST_CASE("the residual form adds and passes the gradient through") {
  const auto x = leaf({37, 19}), residual = leaf({37, 19});
  const auto factor = factors(x.sizes());
  Dropout dropout(kProbability);
  start_dropout_stream({.seed = 11});
  auto y = dropout->add(x, residual);
  y.backward(torch::full_like(y, 3));
  CHECK(y.allclose(residual + x * factor, 1e-5, 1e-6));
  CHECK(x.grad().allclose(3 * factor));
  CHECK(residual.grad().allclose(torch::full_like(y, 3)));
}

TEST_CASE("the ReLU form equals dropout after ReLU") {
  const auto x = leaf({37, 19});
  const auto factor = factors(x.sizes());
  Dropout dropout(kProbability);
  start_dropout_stream({.seed = 11});
  auto y = dropout->relu(x);
  y.backward(torch::full_like(y, 3));
  CHECK(y.allclose(torch::relu(x) * factor));
  CHECK(x.grad().allclose(3 * factor * (x > 0)));
}

TEST_CASE("inputs in any layout are taken") {
  const auto x = leaf({19, 37});
  Dropout dropout(kProbability);
  start_dropout_stream({.seed = 11});
  auto y = dropout(x.t());
  y.sum().backward();
  CHECK(y.allclose(x.t() * factors({37, 19})));
  CHECK(x.grad().allclose(factors({37, 19}).t()));
}

TEST_CASE("the number of threads changes nothing") {
  const auto threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = factors({1000, 300});
  at::set_num_threads(2);
  const auto two = factors({1000, 300});
  at::set_num_threads(threads);
  CHECK(one.equal(two));
}

TEST_CASE("each call draws anew; evaluation and p = 0 leave everything as it is") {
  const auto x = torch::randn({50, 50});
  Dropout dropout(kProbability), none(0.0);
  CHECK_FALSE(dropout(x).equal(dropout(x)));
  CHECK(none(x).equal(x));
  dropout->eval();
  CHECK(dropout(x).equal(x));
  CHECK(dropout->add(x, x).equal(2 * x));
  CHECK(dropout->relu(x).equal(torch::relu(x)));
}

TEST_CASE("other number formats go to torch's dropout") {
  Dropout dropout(0.5);
  const auto y = dropout->relu(torch::ones({100, 100}, torch::kFloat64));
  CHECK(y.scalar_type() == torch::kFloat64);
  CHECK((y == 0).sum().item<int64_t>() > 4000);
}

}  // namespace xformer
