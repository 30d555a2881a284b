#include "train/residual_stream.h"

#include "catch.h"
#include "kernels/dropout_stream.h"
#include "train/difference.h"
#include "train/precision.h"

namespace xformer {
namespace {

constexpr int64_t kStreamRows = 23;

/// Two sublayers, each a linear layer, and a last norm.
struct Stack {
  explicit Stack(const ModelConfig& config)
      : last(make_layer_norm(config)), x(torch::randn({kStreamRows, config.d_model})) {
    x.set_requires_grad(true);
    for (int i = 0; i < 2; ++i) {
      connections.emplace_back(config);
      linear.emplace_back(config.d_model, config.d_model);
      connections.back()->norm->weight.data().normal_();
      connections.back()->norm->bias.data().normal_();
    }
    last->weight.data().normal_();
  }

  /// The model's own way.
  torch::Tensor plain() {
    start_dropout_stream({.seed = 11});
    auto y = x;
    for (int i = 0; i < 2; ++i) y = connections[i]->forward(y, linear[i]);
    return last(y);
  }
  torch::Tensor packed() {
    start_dropout_stream({.seed = 11});
    ResidualStream stream(x);
    for (int i = 0; i < 2; ++i) stream.connect(connections[i], linear[i]);
    return stream.finish(last);
  }
  /// Of all weights and of x, for a gradient of the output that is always the same.
  std::vector<torch::Tensor> gradients(const torch::Tensor& out) {
    std::vector<torch::Tensor> inputs{x, last->weight, last->bias};
    for (int i = 0; i < 2; ++i) {
      for (const auto& weight : connections[i]->parameters()) inputs.push_back(weight);
      for (const auto& weight : linear[i]->parameters()) inputs.push_back(weight);
    }
    torch::manual_seed(3);
    return torch::autograd::grad({out}, inputs, {torch::randn(out.sizes()).to(out.scalar_type())});
  }

  std::vector<SublayerConnection> connections;
  std::vector<torch::nn::Linear> linear;
  torch::nn::LayerNorm last;
  torch::Tensor x;
};

ModelConfig config_of(NormPlacement norm, double dropout, int64_t d_model) {
  return {.d_model = d_model, .dropout = dropout, .norm = norm};
}

}  // namespace

TEST_CASE("the stream is what the connections make of it, with the gradients") {
  const auto norm = GENERATE(NormPlacement::kPre, NormPlacement::kPost);
  const double dropout = GENERATE(0.0, 0.3);
  const int64_t d_model = GENERATE(13, 64, 96);  // with and without what fills no vector
  torch::manual_seed(1);
  Stack stack(config_of(norm, dropout, d_model));
  const auto plain = stack.plain(), packed = stack.packed();
  CHECK(difference(packed, plain) < 1e-5);
  const auto expected = stack.gradients(plain), found = stack.gradients(packed);
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO("input " << i);
    CHECK(difference(found[i], expected[i]) < 2e-5 * (1 + expected[i].abs().max().item<double>()));
  }
}

TEST_CASE("without a last norm the stream itself comes out") {
  torch::manual_seed(1);
  Stack stack(config_of(NormPlacement::kPre, 0.3, 64));
  torch::nn::LayerNorm none{nullptr};
  start_dropout_stream({.seed = 11});
  ResidualStream stream(stack.x);
  stream.connect(stack.connections[0], stack.linear[0]);
  const auto out = stream.finish(none);
  start_dropout_stream({.seed = 11});
  CHECK(difference(out, stack.connections[0]->forward(stack.x, stack.linear[0])) < 1e-6);
}

TEST_CASE("in evaluation nothing is dropped from the stream") {
  torch::manual_seed(1);
  Stack stack(config_of(NormPlacement::kPre, 0.3, 64));
  for (auto& connection : stack.connections) connection->eval();
  CHECK(difference(stack.packed(), stack.plain()) < 1e-5);
}

TEST_CASE("sublayers of bfloat16 read and give bfloat16, nearly what float32 gives") {
  torch::manual_seed(1);
  Stack stack(config_of(NormPlacement::kPre, 0.3, 64));
  const auto single = stack.packed();
  const auto brief = [&] {
    const AutocastScope autocast(Precision::kBfloat16, torch::kCPU);
    return stack.packed();
  }();
  CHECK(brief.scalar_type() == torch::kBFloat16);
  CHECK(difference(brief, single) < 0.05);
  const auto expected = stack.gradients(single), found = stack.gradients(brief);
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO("input " << i);
    CHECK(difference(found[i], expected[i]) < 0.03 * expected[i].abs().max().item<double>());
  }
}

}  // namespace xformer
