// Beam search on a toy decoder whose every sequence can be listed.
#include "decode/search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "catch.h"
#include "text/tokenizer.h"

namespace xformer {
namespace {

using Ids = std::vector<int32_t>;

/// The pieces that may be chosen: eos and four words.
const Ids kWords = {kEos, 4, 5, 6, 7};

/// log P(word | prefix) from a hash of prefix and source, so that any prefix has its own
/// distribution.
std::vector<double> next_log_probs(const Ids& source, const Ids& prefix) {
  size_t hash = source.empty() ? 0 : source[0];
  for (int32_t id : prefix) hash = hash * 31 + id;
  std::mt19937_64 random(hash * 7919 + prefix.size());
  std::vector<double> weights;
  double sum = 0;
  for (size_t i = 0; i < kWords.size(); ++i) {
    weights.push_back(1 + static_cast<double>(random() % 1000));
    sum += weights.back();
  }
  for (double& weight : weights) weight = std::log(weight / sum);
  return weights;
}

class ToyDecoder : public StepDecoder {
 public:
  void start(const std::vector<Ids>& sources) override {
    rows_.clear();
    for (const auto& source : sources) rows_.push_back({source, {}});
  }
  Candidates step(const Ids& tokens, int64_t k) override {
    k = std::min<int64_t>(k, std::ssize(kWords));
    Candidates candidates{.k = k, .ids = {}, .log_probs = {}};
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (tokens[row] != kBos) rows_[row].prefix.push_back(tokens[row]);
      const auto log_probs = next_log_probs(rows_[row].source, rows_[row].prefix);
      std::vector<size_t> order = {0, 1, 2, 3, 4};
      std::ranges::sort(order, std::greater<>(), [&](size_t i) { return log_probs[i]; });
      for (int64_t i = 0; i < k; ++i) {
        candidates.ids.push_back(kWords[order[i]]);
        candidates.log_probs.push_back(static_cast<float>(log_probs[order[i]]));
      }
    }
    steps += 1;
    widest = std::max(widest, rows_.size());
    return candidates;
  }
  void select(const std::vector<int64_t>& rows) override {
    std::vector<Row> kept;
    for (int64_t row : rows) kept.push_back(rows_[row]);
    rows_ = std::move(kept);
  }

  int steps = 0;
  size_t widest = 0;

 private:
  struct Row {
    Ids source, prefix;
  };
  std::vector<Row> rows_;
};

/// The best ended sequence of at most `max_length` pieces, found by listing them all.
Hypothesis brute_force(const Ids& source, int64_t max_length, double alpha) {
  Hypothesis best{.ids = {}, .log_prob = 0, .score = -1e30};
  std::function<void(Ids, double)> extend = [&](Ids prefix, double log_prob) {
    const auto log_probs = next_log_probs(source, prefix);
    const auto length = std::ssize(prefix) + 1;
    const double ended = log_prob + static_cast<float>(log_probs[0]);
    const double score = ended / length_penalty(length, alpha);
    if (score > best.score) best = {prefix, ended, score};
    if (length == max_length) return;
    for (size_t i = 1; i < kWords.size(); ++i) {
      Ids longer = prefix;
      longer.push_back(kWords[i]);
      extend(longer, log_prob + static_cast<float>(log_probs[i]));
    }
  };
  extend({}, 0);
  return best;
}

}  // namespace

TEST_CASE("length penalty is GNMT's") {
  CHECK(length_penalty(1, 0.6) == Approx(1.0));
  CHECK(length_penalty(7, 1.0) == Approx(2.0));
  CHECK(length_penalty(50, 0) == 1.0);
}

TEST_CASE("a beam as wide as everything finds the best of all sequences") {
  const double alpha = GENERATE(0.0, 0.6, 1.0);
  constexpr int64_t kMaxLength = 6;
  ToyDecoder decoder;
  for (int32_t word = 4; word < 24; ++word) {
    const std::vector<Ids> sources = {{word}};
    const auto found = beam_search(decoder, sources, {kMaxLength},
                                   {.beam_size = 4096, .length_penalty = alpha})[0][0];
    const auto best = brute_force({word}, kMaxLength, alpha);
    CHECK(found.ids == best.ids);
    CHECK(found.log_prob == Approx(best.log_prob));
    CHECK(found.score == Approx(best.score));
    CHECK_FALSE(found.hit_limit);
  }
}

TEST_CASE("a beam of one follows the best piece at every step, whatever the penalty") {
  const double alpha = GENERATE(0.0, 0.6, 5.0);
  ToyDecoder decoder;
  for (int32_t word = 4; word < 40; ++word) {
    Ids greedy;
    while (greedy.size() < 12) {
      const auto log_probs = next_log_probs({word}, greedy);
      const auto best = std::ranges::max_element(log_probs) - log_probs.begin();
      if (best == 0) break;
      greedy.push_back(kWords[best]);
    }
    const auto found =
        beam_search(decoder, {{word}}, {12}, {.beam_size = 1, .length_penalty = alpha})[0][0];
    CHECK(found.ids == greedy);
    CHECK(found.hit_limit == (greedy.size() == 12));
  }
}

TEST_CASE("a sentence's result does not depend on its neighbours") {
  ToyDecoder decoder;
  const SearchOptions options{.beam_size = 3, .length_penalty = 0.6, .n_best = 3};
  std::vector<Ids> sources;
  std::vector<int64_t> limits;
  for (int32_t i = 0; i < 30; ++i) {
    sources.push_back({4 + i});
    limits.push_back(1 + i % 9);
  }
  const auto together = beam_search(decoder, sources, limits, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto alone = beam_search(decoder, {sources[i]}, {limits[i]}, options)[0];
    REQUIRE(alone.size() == together[i].size());
    for (size_t n = 0; n < alone.size(); ++n) {
      CHECK(alone[n].ids == together[i][n].ids);
      CHECK(alone[n].score == together[i][n].score);
    }
  }
}

TEST_CASE("the n best are different, sorted, and begin with the best") {
  ToyDecoder decoder;
  for (int32_t word = 4; word < 30; ++word) {
    const auto found = beam_search(decoder, {{word}}, {8},
                                   {.beam_size = 8, .length_penalty = 0.6, .n_best = 8})[0];
    REQUIRE(found.size() == 8);
    std::set<Ids> distinct;
    for (const auto& hypothesis : found) distinct.insert(hypothesis.ids);
    CHECK(distinct.size() == found.size());
    CHECK(std::ranges::is_sorted(found, [](const auto& a, const auto& b) {
      return a.hit_limit != b.hit_limit ? b.hit_limit : a.score > b.score;
    }));
    const auto best =
        beam_search(decoder, {{word}}, {8}, {.beam_size = 8, .length_penalty = 0.6})[0][0];
    CHECK(best.ids == found[0].ids);
  }
}

TEST_CASE("the search ends when no live hypothesis can win") {
  ToyDecoder decoder;
  beam_search(decoder, {{4}}, {1000}, {.beam_size = 4, .length_penalty = 0});
  CHECK(decoder.steps < 50);
}

TEST_CASE("no sources give no results") {
  ToyDecoder decoder;
  CHECK(beam_search(decoder, {}, {}, {}).empty());
}

TEST_CASE("a limit of one piece ends or cuts at once") {
  ToyDecoder decoder;
  const auto found = beam_search(decoder, {{4}}, {1}, {.beam_size = 5, .n_best = 5})[0];
  REQUIRE(found.size() == 5);
  CHECK(found[0].ids.empty());
  CHECK_FALSE(found[0].hit_limit);
  CHECK(found[1].hit_limit);
}

}  // namespace xformer
