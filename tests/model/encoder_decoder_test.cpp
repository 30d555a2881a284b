#include "model/encoder_decoder.h"

#include <cmath>

#include "catch.h"
#include "model/foreign_models.h"
#include "model/masks.h"
#include "model/tiny_model.h"
#include "text/tokenizer.h"

namespace xformer {
namespace {

torch::Tensor decoder_output(EncoderDecoder& model, const torch::Tensor& src,
                             const torch::Tensor& tgt) {
  torch::NoGradGuard no_grad;
  return model->forward(src, tgt, source_mask(src, kPad), target_mask(tgt, kPad));
}

torch::Tensor with_padding(const torch::Tensor& ids, int64_t count) {
  return torch::cat({ids, torch::full({ids.size(0), count}, kPad, torch::kInt64)}, 1);
}

double difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace

TEST_CASE("more padding changes nothing") {
  auto model = tiny_model(tiny_config(GENERATE(NormPlacement::kPre, NormPlacement::kPost)));
  const auto src = random_words(3, 7, 1), tgt = random_words(3, 5, 2);
  const auto plain = decoder_output(model, src, tgt);
  const auto padded = decoder_output(model, with_padding(src, 4), with_padding(tgt, 3));
  CHECK(difference(plain, padded.slice(1, 0, 5)) < 1e-5);
}

TEST_CASE("a position does not see later target pieces") {
  auto model = tiny_model();
  const auto src = random_words(2, 6, 3), tgt = random_words(2, 8, 4);
  const auto before = decoder_output(model, src, tgt);
  auto changed = tgt.clone();
  changed.slice(1, 5).fill_(11);
  const auto after = decoder_output(model, src, changed);
  CHECK(difference(before.slice(1, 0, 5), after.slice(1, 0, 5)) == 0);
  CHECK(difference(before.slice(1, 5), after.slice(1, 5)) > 1e-3);
}

TEST_CASE("decoding step by step with the cache equals one pass, also when rows are reordered") {
  auto model = tiny_model(tiny_config(GENERATE(NormPlacement::kPre, NormPlacement::kPost)));
  auto src = with_padding(random_words(3, 6, 5), 2);
  src[1].slice(0, 3).fill_(kPad);  // sentences of different length
  const auto tgt = random_words(3, 9, 6);
  const auto whole = decoder_output(model, src, tgt);

  torch::NoGradGuard no_grad;
  const auto src_mask = source_mask(src, kPad);
  auto cache = model->start_decoding(model->encode(src, src_mask), src_mask);
  auto order = torch::arange(3);
  for (int64_t t = 0; t < tgt.size(1); ++t) {
    auto step = model->decode_step(tgt.index_select(0, order).select(1, t), cache);
    CHECK(difference(step, whole.index_select(0, order).select(1, t)) < 1e-5);
    const auto turn = torch::tensor({2, 0, 1});
    cache.select(turn);
    order = order.index_select(0, turn);
  }
}

TEST_CASE("models from elsewhere decode step by step as in one pass") {
  for (const auto& [name, config] : foreign_models()) {
    CAPTURE(name);
    auto model = tiny_model(config);
    const auto src = random_words(3, 6, 5), tgt = random_words(3, 9, 6);
    const auto whole = decoder_output(model, src, tgt);
    torch::NoGradGuard no_grad;
    const auto src_mask = source_mask(src, kPad);
    auto cache = model->start_decoding(model->encode(src, src_mask), src_mask);
    for (int64_t t = 0; t < tgt.size(1); ++t) {
      const auto step = model->decode_step(tgt.select(1, t), cache);
      CHECK(difference(step, whole.select(1, t)) < 1e-5);
    }
  }
}

TEST_CASE("every trait of a model from elsewhere changes what it says") {
  const auto src = random_words(2, 6, 5), tgt = random_words(2, 4, 6);
  const auto said = [&](const ModelConfig& config) {
    auto model = tiny_model(config);
    const auto hidden = decoder_output(model, src, tgt);
    torch::NoGradGuard no_grad;
    model->generator->bias.fill_(1).narrow(0, 3, 4).fill_(2);
    return model->generator(hidden);
  };
  const auto plain = said(tiny_config());
  for (const auto& [name, config] : foreign_models()) {
    CAPTURE(name);
    // The generator's bias is filled above, parameter or not.
    if (config.generator_bias) CHECK(difference(said(config), plain) > 1e-4);
  }
}

TEST_CASE("a final norm is there by itself") {
  for (const auto norm : {NormPlacement::kPre, NormPlacement::kPost}) {
    auto with = tiny_config(norm), without = with;
    with.final_norm = true;
    without.final_norm = false;
    auto normed = tiny_model(with), bare = tiny_model(without);
    torch::NoGradGuard no_grad;
    for (auto& item : bare->named_parameters()) {
      item.value().copy_(normed->named_parameters()[item.key()]);
    }
    normed->decoder->norm->weight.normal_();
    const auto src = random_words(2, 6, 5), tgt = random_words(2, 4, 6);
    // The decoder's own norm, on a memory that has passed the encoder's.
    const auto src_mask = source_mask(src, kPad), tgt_mask = target_mask(tgt, kPad);
    const auto memory = normed->encode(src, src_mask);
    CHECK(difference(memory, normed->encoder->norm(bare->encode(src, src_mask))) < 1e-6);
    CHECK(difference(normed->decode(memory, src_mask, tgt, tgt_mask),
                     normed->decoder->norm(bare->decode(memory, src_mask, tgt, tgt_mask))) < 1e-6);
  }
}

TEST_CASE("encoder and decoder have sizes of their own") {
  auto config = tiny_config();
  config.N_decoder = 1;
  config.d_ff_decoder = 24;
  config.h_decoder = 2;
  auto model = tiny_model(config);
  CHECK(model->encoder->layers.size() == 2);
  CHECK(model->decoder->layers.size() == 1);
  CHECK(model->encoder->layers[0]->self_attn->h == 4);
  CHECK(model->decoder->layers[0]->self_attn->h == 2);
  CHECK(model->decoder->layers[0]->src_attn->d_k == 8);
  CHECK(model->encoder->layers[0]->feed_forward->w_1->weight.size(0) == 32);
  CHECK(model->decoder->layers[0]->feed_forward->w_1->weight.size(0) == 24);
}

TEST_CASE("a generator without a bias has none to train or to store") {
  auto config = tiny_config();
  config.generator_bias = false;
  auto model = tiny_model(config);
  CHECK(model->named_parameters().find("generator.bias") == nullptr);
  CHECK(model->generator->bias.equal(torch::zeros(kTinyVocabulary)));
  const auto x = torch::randn({3, config.d_model});
  torch::NoGradGuard no_grad;
  CHECK(model->generator->logits(x).allclose(torch::mm(x, model->tgt_embed->lut->weight.t())));
}

TEST_CASE("positions go on beyond any table") {
  auto model = tiny_model();
  const auto src = random_words(1, 1300, 8), tgt = random_words(1, 3, 9);
  CHECK(decoder_output(model, src, tgt).isfinite().all().item<bool>());
}

TEST_CASE("a source of padding alone stays finite, forward and backward") {
  auto model = tiny_model();
  model->train();
  auto src = random_words(2, 5, 10);
  src[1].fill_(kPad);
  const auto tgt = random_words(2, 4, 11);
  auto output = model->forward(src, tgt, source_mask(src, kPad), target_mask(tgt, kPad));
  model->generator(output).sum().backward();
  CHECK(output.isfinite().all().item<bool>());
  for (const auto& parameter : model->parameters()) {
    if (parameter.grad().defined()) CHECK(parameter.grad().isfinite().all().item<bool>());
  }
}

TEST_CASE("tied embeddings are one matrix, named once") {
  auto names = [](TieEmbeddings tie) {
    auto config = tiny_config();
    config.tie_embeddings = tie;
    std::vector<std::string> found;
    for (const auto& item : tiny_model(config)->named_parameters()) {
      if (item.key().ends_with("lut.weight") || item.key() == "generator.weight") {
        found.push_back(item.key());
      }
    }
    return found;
  };
  using Names = std::vector<std::string>;
  CHECK(names(TieEmbeddings::kAll) == Names{"tgt_embed.lut.weight"});
  CHECK(names(TieEmbeddings::kDecoder) == Names{"tgt_embed.lut.weight", "src_embed.lut.weight"});
  CHECK(names(TieEmbeddings::kSourceTarget) == Names{"tgt_embed.lut.weight", "generator.weight"});
  CHECK(names(TieEmbeddings::kNone).size() == 3);
}

TEST_CASE("the start is a function of the seed alone") {
  auto first = tiny_model(tiny_config(), 3)->parameters();
  auto again = tiny_model(tiny_config(), 3)->parameters();
  auto other = tiny_model(tiny_config(), 4)->parameters();
  CHECK(first[0].equal(again[0]));
  CHECK_FALSE(first[0].equal(other[0]));
}

TEST_CASE("Xavier matrices and embeddings of deviation d_model^-0.5") {
  ModelConfig config{.N = 1, .d_model = 64, .d_ff = 256, .h = 4};
  auto model = make_model(config, {2000, 2000}, 1);
  CHECK(model->tgt_embed->lut->weight.std().item<double>() == Approx(1.0 / 8).epsilon(0.02));
  const double bound = std::sqrt(6.0 / (64 + 256));
  const auto& w_1 = model->encoder->layers[0]->feed_forward->w_1->weight;
  CHECK(w_1.abs().max().item<double>() <= bound);
  CHECK(w_1.std().item<double>() == Approx(bound / std::sqrt(3.0)).epsilon(0.05));
}

}  // namespace xformer
