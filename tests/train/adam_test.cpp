#include "train/adam.h"

#include <torch/optim/adam.h>

#include "catch.h"
#include "runtime/error.h"

namespace xformer {
namespace {

NamedTensors parameters() {
  torch::manual_seed(1);
  return {{"a", torch::randn({3, 4}).set_requires_grad(true)},
          {"b", torch::randn({5}).set_requires_grad(true)}};
}

void set_gradients(const NamedTensors& named, int round) {
  torch::manual_seed(100 + round);
  for (const auto& [name, parameter] : named) {
    parameter.mutable_grad() = torch::randn(parameter.sizes());
  }
}

}  // namespace

TEST_CASE("updates equal those of torch's own Adam") {
  const auto ours = parameters(), theirs = parameters();
  Adam adam(ours);
  torch::optim::Adam reference(
      std::vector<torch::Tensor>{theirs[0].second, theirs[1].second},
      torch::optim::AdamOptions(0.01).betas({Adam::kBeta1, Adam::kBeta2}).eps(Adam::kEpsilon));
  for (int round = 0; round < 5; ++round) {
    set_gradients(ours, round);
    set_gradients(theirs, round);
    adam.step(0.01);
    reference.step();
  }
  for (size_t i = 0; i < ours.size(); ++i) {
    CHECK(ours[i].second.allclose(theirs[i].second, 1e-5, 1e-7));
  }
}

TEST_CASE("saved and loaded, it goes on as if nothing had happened") {
  const auto straight = parameters(), resumed = parameters();
  Adam first(straight), before(resumed);
  auto run = [](Adam& adam, const NamedTensors& named, int from, int to) {
    for (int round = from; round < to; ++round) {
      set_gradients(named, round);
      adam.step(0.01);
    }
  };
  run(first, straight, 0, 6);
  run(before, resumed, 0, 3);
  std::map<std::string, torch::Tensor> saved;
  before.save(saved);
  for (auto& [name, tensor] : saved) tensor = tensor.clone();
  Adam after(resumed);
  after.load(saved, "test");
  run(after, resumed, 3, 6);
  for (size_t i = 0; i < straight.size(); ++i) {
    CHECK(straight[i].second.equal(resumed[i].second));
  }
}

TEST_CASE("moments that are missing or misshapen are refused") {
  Adam adam(parameters());
  std::map<std::string, torch::Tensor> saved;
  adam.save(saved);
  auto misshapen = saved;
  misshapen["second_moment.b"] = torch::zeros({6});
  CHECK_THROWS_AS(adam.load(misshapen, "file"), UserError);
  saved.erase("first_moment.a");
  CHECK_THROWS_AS(adam.load(saved, "file"), UserError);
}

}  // namespace xformer
