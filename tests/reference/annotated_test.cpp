// The whole model against the Annotated Transformer's own numbers.
#include "reference/annotated.h"

#include "catch.h"
#include "model/attention_weights.h"
#include "model/masks.h"
#include "text/tokenizer.h"
#include "train/adam.h"
#include "train/label_smoothing.h"
#include "train/noam_schedule.h"

namespace xformer {
namespace {

constexpr double kTolerance = 1e-5, kSmoothing = 0.1;
constexpr const char* kTraining = "annotated_training.safetensors";

/// One batch of the reference, as the model reads it.
struct Example {
  Example(const torch::Tensor& src, const torch::Tensor& whole_target)
      : src(src),
        tgt(whole_target.slice(1, 0, -1)),
        tgt_y(whole_target.slice(1, 1)),
        src_mask(source_mask(src, kPad)),
        tgt_mask(target_mask(tgt, kPad)) {}

  int64_t ntokens() const { return (tgt_y != kPad).sum().item<int64_t>(); }

  torch::Tensor src, tgt, tgt_y, src_mask, tgt_mask;
};

torch::Tensor loss_sum(EncoderDecoder& model, const Example& e) {
  auto log_probs = model->generator(model->forward(e.src, e.tgt, e.src_mask, e.tgt_mask));
  return label_smoothed_loss(log_probs, e.tgt_y, kSmoothing, kPad);
}

}  // namespace

TEST_CASE("masks equal the Annotated Transformer's") {
  Annotated annotated;
  CHECK(subsequent_mask(6).equal(annotated.at("subsequent_mask_6").to(torch::kBool)));
  Example e(annotated.at("forward/src"), annotated.at("forward/tgt"));
  CHECK(e.src_mask.equal(annotated.at("forward/src_mask").to(torch::kBool)));
  CHECK(e.tgt_mask.equal(annotated.at("forward/tgt_mask").to(torch::kBool)));
}

TEST_CASE("positional encoding equals the Annotated Transformer's") {
  Annotated annotated;
  CHECK(max_difference(positional_encoding(100, 20), annotated.at("positional_encoding_20x100")) <
        kTolerance);
}

TEST_CASE("memory, decoder output and log-probabilities equal the Annotated Transformer's") {
  Annotated annotated;
  auto model = annotated.model();
  Example e(annotated.at("forward/src"), annotated.at("forward/tgt"));
  torch::NoGradGuard no_grad;
  auto memory = model->encode(e.src, e.src_mask);
  auto output = model->decode(memory, e.src_mask, e.tgt, e.tgt_mask);
  CHECK(max_difference(memory, annotated.at("forward/memory")) < kTolerance);
  CHECK(max_difference(output, annotated.at("forward/decoder_output")) < kTolerance);
  CHECK(max_difference(model->generator(output), annotated.at("forward/log_probs")) < kTolerance);
}

TEST_CASE("attention of every layer and head equals the Annotated Transformer's") {
  Annotated annotated;
  Example e(annotated.at("forward/src"), annotated.at("forward/tgt"));
  const auto weights = attention_weights(annotated.model(), e.src, e.tgt, e.src_mask, e.tgt_mask);
  const auto check = [&](const std::vector<torch::Tensor>& layers, const std::string& name) {
    REQUIRE(layers.size() == 2);
    for (size_t i = 0; i < layers.size(); ++i) {
      INFO(name << i);
      CHECK(max_difference(layers[i], annotated.at(name + std::to_string(i))) < kTolerance);
    }
  };
  check(weights.encoder_self, "forward/attn.encoder.");
  check(weights.decoder_self, "forward/attn.decoder_self.");
  check(weights.decoder_source, "forward/attn.decoder_src.");
}

TEST_CASE("label smoothing equals the Annotated Transformer's") {
  Annotated annotated;
  const auto& log_p = annotated.at("label_smoothing/log_p");
  const auto& target = annotated.at("label_smoothing/target");
  CHECK(label_smoothed_loss(log_p, target, 0.4, 0).item<double>() ==
        Approx(annotated.at("label_smoothing/loss").item<double>()).epsilon(kTolerance));
}

TEST_CASE("loss and gradients equal the Annotated Transformer's") {
  Annotated annotated, training(kTraining);
  auto model = annotated.model();
  Example e(annotated.at("forward/src"), annotated.at("forward/tgt"));
  auto sum = loss_sum(model, e);
  REQUIRE(e.ntokens() == training.at("loss/ntokens").item<int64_t>());
  CHECK(sum.item<double>() == Approx(training.at("loss/sum").item<double>()).epsilon(kTolerance));
  (sum / e.ntokens()).backward();
  for (const auto& item : model->named_parameters()) {
    INFO(item.key());
    auto gradient = item.value().grad();
    if (Annotated::is_gain(item.key())) gradient = gradient * Annotated::gain_factor();
    const auto expected = training.of_parameter("grad/", item.key());
    const double scale = expected.abs().max().item<double>();
    // The gradient of a key's bias is 0 but for rounding.
    CHECK(max_difference(gradient, expected) < 1e-4 * scale + 1e-8);
  }
}

TEST_CASE("ten updates equal the Annotated Transformer's, at its own learning rates") {
  Annotated annotated, training(kTraining);
  auto model = annotated.model();
  model->to(torch::kFloat64);
  // Adam moves a weight by the learning rate whatever the gradient's scale, so the scaled gains
  // need a scaled rate.
  NamedTensors gains, others;
  for (auto& named : named_parameters(*model)) {
    (Annotated::is_gain(named.first) ? gains : others).push_back(named);
  }
  Adam adam(others), gain_adam(gains);
  for (int i = 0; i < 10; ++i) {
    const auto prefix = "train/" + std::to_string(i);
    Example e(annotated.at(prefix + "/src"), annotated.at(prefix + "/tgt"));
    auto loss = loss_sum(model, e) / e.ntokens();
    CHECK(loss.item<double>() ==
          Approx(training.at("train/losses")[i].item<double>()).epsilon(kTolerance));
    loss.backward();
    const double rate = annotated.at("train/learning_rates")[i].item<double>();
    adam.step(rate);
    gain_adam.step(rate * Annotated::gain_factor());
    model->zero_grad();
  }
  torch::NoGradGuard no_grad;
  for (const auto& item : model->named_parameters()) {
    INFO(item.key());
    auto weight = item.value();
    if (Annotated::is_gain(item.key())) weight = weight / Annotated::gain_factor();
    CHECK(max_difference(weight, training.of_parameter("weights_after_10/", item.key())) <
          kTolerance);
  }
}

TEST_CASE("our schedule gives the recorded learning rates, the first one not used twice") {
  Annotated annotated;
  for (int update = 1; update < 10; ++update) {
    CHECK(noam_rate(update, 32, 1.0, 400) ==
          Approx(annotated.at("train/learning_rates")[update].item<double>()));
  }
}

TEST_CASE("greedy decoding with the cache equals the Annotated Transformer's without one") {
  Annotated annotated;
  auto model = annotated.model();
  torch::NoGradGuard no_grad;
  for (auto& item : model->named_parameters()) {
    item.value().copy_(annotated.of_parameter("weights_after_10/", item.key()));
    if (Annotated::is_gain(item.key())) item.value().mul_(Annotated::gain_factor());
  }
  for (int i = 0; i < 4; ++i) {
    const auto prefix = "greedy/" + std::to_string(i);
    const auto& src = annotated.at(prefix + "/src");
    const auto& expected = annotated.at(prefix + "/output");
    const auto src_mask = source_mask(src, kPad);
    auto cache = model->start_decoding(model->encode(src, src_mask), src_mask);
    auto ids = torch::full({1}, kBos, torch::kInt64);
    for (int64_t t = 1; t < expected.size(1); ++t) {
      ids = model->generator(model->decode_step(ids, cache)).argmax(-1);
      CHECK(ids.item<int64_t>() == expected[0][t].item<int64_t>());
    }
  }
}

}  // namespace xformer
