#include "decode/plain_decoder.h"

#include <algorithm>
#include <cmath>

#include "catch.h"
#include "decode/search.h"
#include "model/foreign_models.h"
#include "model/masks.h"
#include "model/tiny_model.h"
#include "text/tokenizer.h"

namespace xformer {
namespace {

using Ids = std::vector<int32_t>;

const SpecialTokens kNoUnknown{.never = {kPad, kUnk, kBos}};

std::vector<Ids> random_sources(int64_t count) {
  std::vector<Ids> sources;
  for (int64_t i = 0; i < count; ++i) {
    const auto words = random_words(1, 1 + i * 5 % 13, 100 + i).to(torch::kInt32);
    const int32_t* first = words.const_data_ptr<int32_t>();
    sources.emplace_back(first, first + words.size(1));
  }
  return sources;
}

torch::Tensor row(const Ids& ids, int32_t first, int32_t last) {
  std::vector<int64_t> all;
  if (first >= 0) all.push_back(first);
  all.insert(all.end(), ids.begin(), ids.end());
  if (last >= 0) all.push_back(last);
  return torch::tensor(all, torch::kInt64).unsqueeze(0);
}

/// The log-probability of a hypothesis by one teacher-forced pass.
double rescored(EncoderDecoder& model, const Ids& source, const Hypothesis& hypothesis) {
  torch::NoGradGuard no_grad;
  const auto src = row(source, -1, kEos), tgt = row(hypothesis.ids, kBos, -1);
  const auto hidden = model->forward(src, tgt, source_mask(src, kPad), target_mask(tgt, kPad));
  const auto log_probs = choosable_log_probs(model->generator->logits(hidden), kNoUnknown.never);
  const auto length = std::ssize(hypothesis.ids);
  const auto wanted = row(hypothesis.ids, -1, kEos);
  auto chosen = log_probs.gather(-1, wanted.unsqueeze(-1)).flatten();
  if (hypothesis.hit_limit) chosen = chosen.narrow(0, 0, length);  // it has no eos
  return chosen.sum().item<double>();
}

std::vector<SearchSource> limited(const std::vector<Ids>& sources, int64_t limit) {
  std::vector<SearchSource> sentences;
  for (const auto& source : sources) sentences.push_back({.ids = source, .max_length = limit});
  return sentences;
}

}  // namespace

TEST_CASE("a teacher-forced pass reproduces the scores of search") {
  auto model = tiny_model(tiny_config(GENERATE(NormPlacement::kPre, NormPlacement::kPost)));
  PlainDecoder decoder(model, torch::kCPU, kNoUnknown);
  const auto sources = random_sources(12);
  const int64_t beam_size = GENERATE(1, 4);
  const SearchOptions options{.beam_size = beam_size, .length_penalty = 0.6, .n_best = beam_size};
  const auto results = beam_search(decoder, limited(sources, 15), options);
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const auto& hypothesis : results[i]) {
      CHECK(hypothesis.log_prob == Approx(rescored(model, sources[i], hypothesis)).margin(1e-4));
      const auto pieces = std::ssize(hypothesis.ids) + (hypothesis.hit_limit ? 0 : 1);
      CHECK(hypothesis.score == Approx(hypothesis.log_prob / length_penalty(pieces, 0.6)));
    }
  }
}

TEST_CASE("neighbours in the batch change nothing") {
  auto model = tiny_model();
  PlainDecoder decoder(model, torch::kCPU, kNoUnknown);
  const auto sources = random_sources(20);
  const SearchOptions options{.beam_size = 4, .length_penalty = 0.6};
  const auto together = beam_search(decoder, limited(sources, 12), options);
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto alone = beam_search(decoder, limited({sources[i]}, 12), options);
    CHECK(alone[0][0].ids == together[i][0].ids);
    CHECK(alone[0][0].score == Approx(together[i][0].score).margin(1e-4));
  }
}

TEST_CASE("padding, bos and unknown words are never chosen and take no probability") {
  auto model = tiny_model();
  {
    torch::NoGradGuard no_grad;
    for (int32_t id : {kPad, kUnk, kBos}) model->generator->bias[id] = 20;
  }
  PlainDecoder decoder(model, torch::kCPU, kNoUnknown);
  for (const auto& result : beam_search(decoder, limited(random_sources(8), 20),
                                        {.beam_size = 4, .length_penalty = 0, .n_best = 4})) {
    for (const auto& hypothesis : result) {
      CHECK(std::ranges::none_of(hypothesis.ids, [](int32_t id) { return id < kEos; }));
      CHECK(hypothesis.log_prob > -100);  // the others share the whole probability
    }
  }
  PlainDecoder allowing(model, torch::kCPU, SpecialTokens());
  const auto result = beam_search(allowing, limited(random_sources(1), 5), {});
  CHECK(result[0][0].ids == Ids(5, kUnk));
  CHECK(result[0][0].hit_limit);
}

TEST_CASE("a model with special tokens of its own begins, pads and ends with them") {
  auto model = tiny_model();
  const auto tokens = foreign_tokens();
  PlainDecoder decoder(model, torch::kCPU, tokens);
  const std::vector<Ids> sources = {{5, 6, 7}, {9}};
  decoder.start(sources);
  decoder.advance(Ids(2, tokens.decoder_start));
  const auto found = decoder.log_probs();
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto src = row(sources[i], -1, tokens.eos), tgt = row({}, tokens.decoder_start, -1);
    const auto hidden = model->forward(src, tgt, torch::ones({1, 1, src.size(1)}, torch::kBool),
                                       subsequent_mask(1));
    auto logits = model->generator->logits(hidden).flatten();
    logits[tokens.pad] = -INFINITY;
    const auto expected = logits.log_softmax(-1);
    for (int64_t id = 0; id < kTinyVocabulary; ++id) {
      if (id == tokens.pad) continue;
      CHECK(found[i * kTinyVocabulary + id] == Approx(expected[id].item<float>()).margin(1e-5));
    }
    CHECK(std::isinf(found[i * kTinyVocabulary + tokens.pad]));
  }
}

TEST_CASE("log-probabilities of what may be chosen sum to one") {
  const auto log_probs = choosable_log_probs(torch::randn({5, 11}), kNoUnknown.never);
  CHECK(log_probs.exp().sum(-1).allclose(torch::ones({5})));
}

}  // namespace xformer
