// The fast decoder beside the plain one.
#include "engine/packed_decoder.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "catch.h"
#include "decode/plain_decoder.h"
#include "decode/search.h"
#include "engine/tensor_weights.h"
#include "model/foreign_models.h"
#include "runtime/error.h"
#include "text/tokenizer.h"

namespace xformer {
namespace {

using Ids = std::vector<int32_t>;

const SpecialTokens kNoUnknown{.never = {kPad, kUnk, kBos}};

std::vector<Ids> random_sources(int64_t count) {
  std::mt19937 random(5);
  std::vector<Ids> sources;
  for (int64_t i = 0; i < count; ++i) {
    Ids& source = sources.emplace_back();
    for (int64_t n = 0; n < 1 + i * 5 % 13; ++n) {
      source.push_back(static_cast<int32_t>(4 + random() % (kTinyVocabulary - 4)));
    }
  }
  return sources;
}

std::map<std::string, torch::Tensor> tensors_of(const EncoderDecoder& model) {
  std::map<std::string, torch::Tensor> tensors;
  for (const auto& item : model->named_parameters()) tensors[item.key()] = item.value();
  return tensors;
}

ModelShape shape_of(const EncoderDecoder& model) {
  return {.config = model->config,
          .source_pieces = kTinyVocabulary,
          .target_pieces = kTinyVocabulary,
          .tokens = kNoUnknown};
}

PackedDecoder packed(const EncoderDecoder& model, const EngineTarget& target,
                     const SpecialTokens& tokens = kNoUnknown) {
  auto shape = shape_of(model);
  shape.tokens = tokens;
  auto weights = weights_of(tensors_of(model), "the test");
  return PackedDecoder(std::make_shared<PackedModel>(pack_model(shape, weights, target)));
}

ModelConfig config_of(NormPlacement norm, TieEmbeddings tie) {
  auto config = tiny_config(norm);
  config.tie_embeddings = tie;
  config.d_ff = 40;
  return config;
}

/// Feeds both the same random pieces, with rows coming and going, and compares all
/// log-probabilities.
double largest_difference(StepDecoder& a, StepDecoder& b) {
  const auto sources = random_sources(7);
  std::mt19937 random(9);
  a.start(sources);
  b.start(sources);
  auto rows = sources.size();
  double largest = 0;
  Ids tokens(rows, kBos);
  for (int step = 0; step < 12; ++step) {
    a.advance(tokens);
    b.advance(tokens);
    const auto left = a.log_probs(), right = b.log_probs();
    REQUIRE(left.size() == right.size());
    for (size_t i = 0; i < left.size(); ++i) {
      if (std::isinf(left[i]) && std::isinf(right[i])) continue;
      largest = std::max(largest, std::abs(static_cast<double>(left[i]) - right[i]));
    }
    std::vector<int64_t> kept;
    const auto next = 1 + random() % 9;
    for (size_t row = 0; row < next; ++row) kept.push_back(static_cast<int64_t>(random() % rows));
    a.select(kept);
    b.select(kept);
    rows = next;
    tokens.resize(rows);
    for (auto& token : tokens) token = static_cast<int32_t>(3 + random() % (kTinyVocabulary - 3));
  }
  return largest;
}

}  // namespace

TEST_CASE("packed float32 gives the plain model's log-probabilities to 1e-5") {
  const auto norm = GENERATE(NormPlacement::kPre, NormPlacement::kPost);
  const auto tie = GENERATE(TieEmbeddings::kAll, TieEmbeddings::kDecoder, TieEmbeddings::kNone);
  auto model = tiny_model(config_of(norm, tie));
  for (const auto set : instruction_sets()) {
    PlainDecoder plain(model, torch::kCPU, kNoUnknown);
    auto fast = packed(model, {.instructions = set});
    CHECK(largest_difference(plain, fast) < 1e-5);
  }
}

TEST_CASE("a width that no instruction set has whole panels for is computed alike") {
  auto config = config_of(NormPlacement::kPre, TieEmbeddings::kAll);
  config.d_model = 24;
  config.h = 3;
  auto model = tiny_model(config);
  for (const auto set : instruction_sets()) {
    PlainDecoder plain(model, torch::kCPU, kNoUnknown);
    auto fast = packed(model, {.instructions = set});
    CHECK(largest_difference(plain, fast) < 1e-5);
  }
}

TEST_CASE("packed float32 gives the log-probabilities of models from elsewhere to 1e-5") {
  const auto tokens = foreign_tokens();
  for (const auto& [name, config] : foreign_models()) {
    CAPTURE(name);
    auto model = tiny_model(config);
    {
      torch::NoGradGuard no_grad;
      if (config.generator_bias) model->generator->bias.normal_();
    }
    for (const auto set : instruction_sets()) {
      PlainDecoder plain(model, torch::kCPU, tokens);
      auto fast = packed(model, {.instructions = set}, tokens);
      CHECK(largest_difference(plain, fast) < 1e-5);
    }
  }
}

TEST_CASE("int8 stays near") {
  auto model = tiny_model();
  PlainDecoder plain(model, torch::kCPU, kNoUnknown);
  auto fast = packed(model, {.weights = WeightType::kInt8});
  const double difference = largest_difference(plain, fast);
  CHECK(difference > 1e-5);
  CHECK(difference < 0.3);
}

TEST_CASE("the k best and forced pieces are those of all log-probabilities") {
  auto model = tiny_model();
  auto fast = packed(model, {});
  fast.start(random_sources(5));
  fast.advance(Ids(5, kBos));
  const auto all = fast.log_probs();
  const Wanted wanted{.k = 6, .forced = {4, -1, 9, kEos, 28}};
  const auto found = fast.best(wanted);
  for (size_t row = 0; row < 5; ++row) {
    const float* log_probs = all.data() + row * kTinyVocabulary;
    Ids order(kTinyVocabulary);
    for (int32_t i = 0; i < kTinyVocabulary; ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater<>(), [&](int32_t id) { return log_probs[id]; });
    for (size_t i = 0; i < 6; ++i) {
      CHECK(found.ids[row * 6 + i] == order[i]);
      CHECK(found.log_probs[row * 6 + i] == Approx(log_probs[order[i]]).margin(1e-6));
    }
    if (wanted.forced[row] < 0) continue;
    CHECK(found.forced[row] == Approx(log_probs[wanted.forced[row]]).margin(1e-6));
  }
}

TEST_CASE("neighbours in the batch change nothing, to the last bit") {
  auto model = tiny_model();
  const auto type = GENERATE(WeightType::kFloat32, WeightType::kInt8);
  auto decoder = packed(model, {.weights = type});
  const auto sources = random_sources(20);
  const SearchOptions options{.beam_size = 4,
                              .length_penalty = 0.6,
                              .n_best = 4,
                              .no_repeat_ngram = GENERATE(0, 1),
                              .alignment = true};
  std::vector<SearchSource> sentences;
  for (const auto& source : sources) sentences.push_back({.ids = source, .max_length = 12});
  const auto together = beam_search(decoder, sentences, options);
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto alone = beam_search(decoder, {sentences[i]}, options);
    REQUIRE(alone[0].size() == together[i].size());
    for (size_t n = 0; n < alone[0].size(); ++n) {
      CHECK(alone[0][n].ids == together[i][n].ids);
      CHECK(alone[0][n].log_prob == together[i][n].log_prob);
      CHECK(alone[0][n].attended == together[i][n].attended);
    }
  }
}

TEST_CASE("what a piece attends to lies within its source") {
  auto model = tiny_model();
  auto decoder = packed(model, {});
  const auto sources = random_sources(9);
  decoder.start(sources);
  decoder.advance(Ids(9, kBos));
  const auto attended = decoder.attended();
  for (size_t i = 0; i < sources.size(); ++i) {
    CHECK(attended[i] >= 0);
    CHECK(attended[i] < std::ssize(sources[i]));
  }
}

TEST_CASE("with a shortlist a sentence chooses among its own pieces, whatever its neighbours may") {
  auto model = tiny_model();
  auto weights = weights_of(tensors_of(model), "the test");
  auto shape = shape_of(model);
  shape.tokens.never.clear();
  const auto engine = std::make_shared<PackedModel>(pack_model(shape, weights, EngineTarget{}));
  auto shortlist = std::make_shared<Shortlist>();
  shortlist->frequent = {5, 6};
  shortlist->translations.resize(kTinyVocabulary);
  for (int32_t id = 4; id < kTinyVocabulary; ++id) shortlist->translations[id] = {id, 7};
  PackedDecoder decoder(engine, shortlist), whole(engine);
  const std::vector<Ids> sources = {{20, 21}, {22}, {9, 20, 8}};
  decoder.start(sources);
  whole.start(sources);
  decoder.advance(Ids(3, kBos));
  whole.advance(Ids(3, kBos));
  const auto few = decoder.log_probs(), all = whole.log_probs();
  const auto found = decoder.best({.k = 4, .forced = {20, 20, 7}});
  for (size_t row = 0; row < 3; ++row) {
    const auto allowed = shortlist->pieces_for(sources[row]);
    double sum = 0;
    for (const int32_t id : allowed) sum += std::exp(all[row * kTinyVocabulary + id]);
    for (int32_t id = 0; id < kTinyVocabulary; ++id) {
      const auto at = row * kTinyVocabulary + id;
      if (std::ranges::binary_search(allowed, id)) {
        CHECK(few[at] == Approx(all[at] - std::log(sum)).margin(1e-5));
      } else {
        CHECK(std::isinf(few[at]));
      }
    }
    for (size_t i = 0; i < 4; ++i) {
      CHECK(found.log_probs[row * 4 + i] ==
            Approx(few[row * kTinyVocabulary + found.ids[row * 4 + i]]).margin(1e-5));
    }
  }
  CHECK(std::isinf(found.forced[1]));
  CHECK(found.forced[0] == Approx(few[20]).margin(1e-5));
  for (size_t row = 0; row < 3; ++row) {
    decoder.start({sources[row]});
    decoder.advance({kBos});
    CHECK(std::ranges::equal(decoder.log_probs(),
                             std::span(few).subspan(row * kTinyVocabulary, kTinyVocabulary)));
  }

  const SearchOptions options{.beam_size = 3, .length_penalty = 0.6};
  std::vector<SearchSource> sentences;
  for (const auto& source : sources) sentences.push_back({.ids = source, .max_length = 9});
  const auto together = beam_search(decoder, sentences, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto alone = beam_search(decoder, {sentences[i]}, options);
    CHECK(alone[0][0].ids == together[i][0].ids);
    CHECK(alone[0][0].log_prob == together[i][0].log_prob);
  }
}

TEST_CASE("weights that do not fit are refused by name") {
  auto model = tiny_model();
  auto tensors = tensors_of(model);
  const auto pack = [&] {
    return pack_model(shape_of(model), weights_of(tensors, "weights"), EngineTarget{});
  };
  const auto message = [&]() -> std::string {
    try {
      pack();
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message().empty());
  tensors["more"] = torch::zeros({2});
  CHECK(message() ==
        "weights: holds the tensor more of the shape [2], which the configuration does not want");
  tensors.erase("more");
  tensors["generator.bias"] = torch::zeros({3});
  CHECK(message() == "weights: generator.bias has the shape [3], the configuration wants [29]");
  tensors.erase("generator.bias");
  CHECK(message() == "weights: has no tensor generator.bias");
}

}  // namespace xformer
