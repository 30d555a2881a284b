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
  void advance(const Ids& tokens) override {
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (tokens[row] != kBos) rows_[row].prefix.push_back(tokens[row]);
    }
    steps += 1;
    widest = std::max(widest, rows_.size());
  }
  Candidates best(const Wanted& wanted) override {
    const auto k = std::min<int64_t>(wanted.k, std::ssize(kWords));
    Candidates candidates{.k = k, .ids = {}, .log_probs = {}};
    for (size_t row = 0; row < rows_.size(); ++row) {
      const auto log_probs = next_log_probs(rows_[row].source, rows_[row].prefix);
      std::vector<size_t> order = {0, 1, 2, 3, 4};
      std::ranges::sort(order, std::greater<>(), [&](size_t i) { return log_probs[i]; });
      for (int64_t i = 0; i < k; ++i) {
        candidates.ids.push_back(kWords[order[i]]);
        candidates.log_probs.push_back(static_cast<float>(log_probs[order[i]]));
      }
      if (wanted.forced.empty()) continue;
      const auto forced = std::ranges::find(kWords, wanted.forced[row]);
      candidates.forced.push_back(
          forced == kWords.end() ? 0.0F : static_cast<float>(log_probs[forced - kWords.begin()]));
    }
    return candidates;
  }
  std::vector<float> log_probs() override {
    std::vector<float> all;
    for (const auto& row : rows_) {
      std::vector<float> pieces(kWords.back() + 1, -HUGE_VALF);
      const auto log_probs = next_log_probs(row.source, row.prefix);
      for (size_t i = 0; i < kWords.size(); ++i) {
        pieces[kWords[i]] = static_cast<float>(log_probs[i]);
      }
      all.insert(all.end(), pieces.begin(), pieces.end());
    }
    return all;
  }
  /// Each row looks at as many places as its prefix has pieces.
  std::vector<int32_t> attended() override {
    std::vector<int32_t> places;
    for (const auto& row : rows_) places.push_back(static_cast<int32_t>(row.prefix.size()));
    return places;
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

std::vector<std::vector<Hypothesis>> search(ToyDecoder& decoder, const std::vector<Ids>& sources,
                                            const std::vector<int64_t>& limits,
                                            const SearchOptions& options) {
  std::vector<SearchSource> sentences;
  for (size_t i = 0; i < sources.size(); ++i) {
    sentences.push_back({.ids = sources[i], .max_length = limits[i], .number = i});
  }
  return beam_search(decoder, sentences, options);
}

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

namespace {

/// generate() of Hugging Face's transformers with early_stopping false, written down as it is
/// described: live beams, those that have ended, all continuations listed at every step.
std::vector<Hypothesis> generated(const Ids& source, int64_t limit, const SearchOptions& options) {
  struct Beam {
    double log_prob;
    Ids ids;
  };
  const auto width = static_cast<size_t>(options.beam_size);
  std::vector<Beam> beams = {{0, {}}};
  std::vector<Hypothesis> results;
  for (int64_t n = 1; n <= limit; ++n) {
    std::vector<Beam> all;
    for (const auto& beam : beams) {
      const auto log_probs = next_log_probs(source, beam.ids);
      for (size_t i = 0; i < kWords.size(); ++i) {
        const bool forced = n == limit && options.force_eos;
        if (forced ? i > 0 : std::ranges::count(options.tokens.never, kWords[i]) > 0) continue;
        all.push_back(beam);
        all.back().ids.push_back(kWords[i]);
        if (!forced) all.back().log_prob += static_cast<float>(log_probs[i]);
      }
    }
    std::ranges::stable_sort(all, std::greater<>(), &Beam::log_prob);
    if (all.size() > 2 * width) all.resize(2 * width);
    const double divisor = std::pow(static_cast<double>(n), options.length_penalty);
    beams.clear();
    for (size_t rank = 0; rank < all.size(); ++rank) {
      auto& [log_prob, ids] = all[rank];
      const bool at_eos = ids.back() == kEos;
      if (!at_eos && n < limit) {
        if (beams.size() < width) beams.push_back(all[rank]);
      } else if (rank < width) {
        if (at_eos) ids.pop_back();
        results.push_back({.ids = ids, .log_prob = log_prob, .score = log_prob / divisor});
      }
    }
    std::ranges::stable_sort(results, std::greater<>(), &Hypothesis::score);
    if (results.size() > width) results.resize(width);
    if (beams.empty()) break;
    if (results.size() == width && beams[0].log_prob / divisor <= results.back().score) break;
  }
  return results;
}

}  // namespace

TEST_CASE("by Hugging Face's rules the search is generate()'s") {
  const int64_t beam_size = GENERATE(2, 3, 4, 6);
  const double alpha = GENERATE(0.0, 0.6, 1.0);
  const bool force_eos = GENERATE(true, false);
  const Ids never = GENERATE(Ids{}, Ids{6});
  const SearchOptions options{.beam_size = beam_size,
                              .length_penalty = alpha,
                              .n_best = beam_size,
                              .rules = SearchRules::kHuggingFace,
                              .force_eos = force_eos,
                              .tokens = {.never = never}};
  ToyDecoder decoder;
  for (int32_t word = 4; word < 24; ++word) {
    const int64_t limit = 1 + word % 9;
    const auto found = search(decoder, {{word}}, {limit}, options)[0];
    const auto expected = generated({word}, limit, options);
    REQUIRE(found.size() == expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].ids == expected[i].ids);
      CHECK(found[i].log_prob == Approx(expected[i].log_prob));
      CHECK(found[i].score == Approx(expected[i].score));
    }
  }
}

TEST_CASE("Hugging Face's greedy search ends at the first end, or is made to") {
  const bool force_eos = GENERATE(true, false);
  const SearchOptions options{.beam_size = 1,
                              .length_penalty = 1,
                              .rules = SearchRules::kHuggingFace,
                              .force_eos = force_eos,
                              .tokens = {.never = {7}}};
  ToyDecoder decoder;
  constexpr int64_t kLimit = 5;
  for (int32_t word = 4; word < 40; ++word) {
    Ids greedy;
    double log_prob = 0;
    bool ended = false;
    while (!ended && std::ssize(greedy) < kLimit) {
      const bool last = std::ssize(greedy) + 1 == kLimit;
      auto log_probs = next_log_probs({word}, greedy);
      log_probs.pop_back();  // 7
      const auto best = std::ranges::max_element(log_probs) - log_probs.begin();
      ended = best == 0 || (last && force_eos);
      if (!(last && force_eos)) log_prob += log_probs[best];
      if (!ended) greedy.push_back(kWords[best]);
    }
    const auto found = search(decoder, {{word}}, {kLimit}, options)[0][0];
    CHECK(found.ids == greedy);
    CHECK(found.log_prob == Approx(log_prob));
    CHECK(found.hit_limit ==
          (std::ssize(greedy) + (ended ? 1 : 0) == kLimit && (force_eos || !ended)));
  }
}

TEST_CASE("the last piece that the limit allows can be the end, at no cost, whatever the rules") {
  const auto rules = GENERATE(SearchRules::kXformer, SearchRules::kCtranslate2);
  ToyDecoder decoder;
  for (int32_t word = 4; word < 20; ++word) {
    const SearchOptions options{.beam_size = 3, .n_best = 3, .rules = rules, .force_eos = true};
    const auto found = search(decoder, {{word}}, {3}, options);
    for (const auto& hypothesis : found[0]) {
      double log_prob = 0;
      if (rules == SearchRules::kCtranslate2) {  // the first piece's softmax is without the end
        log_prob -= std::log1p(-std::exp(next_log_probs({word}, {})[0]));
      }
      Ids before;
      for (const int32_t piece : hypothesis.ids) {
        log_prob +=
            next_log_probs({word}, before)[std::ranges::find(kWords, piece) - kWords.begin()];
        before.push_back(piece);
      }
      CHECK(hypothesis.ids.size() < 3);
      CHECK(hypothesis.hit_limit == (hypothesis.ids.size() == 2));
      if (!hypothesis.hit_limit) log_prob += next_log_probs({word}, before)[0];
      CHECK(hypothesis.log_prob == Approx(log_prob));
    }
  }
}

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
    const auto found =
        search(decoder, sources, {kMaxLength}, {.beam_size = 4096, .length_penalty = alpha})[0][0];
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
        search(decoder, {{word}}, {12}, {.beam_size = 1, .length_penalty = alpha})[0][0];
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
  const auto together = search(decoder, sources, limits, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto alone = search(decoder, {sources[i]}, {limits[i]}, options)[0];
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
    const auto found =
        search(decoder, {{word}}, {8}, {.beam_size = 8, .length_penalty = 0.6, .n_best = 8})[0];
    REQUIRE(found.size() == 8);
    std::set<Ids> distinct;
    for (const auto& hypothesis : found) distinct.insert(hypothesis.ids);
    CHECK(distinct.size() == found.size());
    CHECK(std::ranges::is_sorted(found, [](const auto& a, const auto& b) {
      return a.hit_limit != b.hit_limit ? b.hit_limit : a.score > b.score;
    }));
    const auto best = search(decoder, {{word}}, {8}, {.beam_size = 8, .length_penalty = 0.6})[0][0];
    CHECK(best.ids == found[0].ids);
  }
}

TEST_CASE("the search ends when no live hypothesis can win") {
  ToyDecoder decoder;
  search(decoder, {{4}}, {1000}, {.beam_size = 4, .length_penalty = 0});
  CHECK(decoder.steps < 50);
}

TEST_CASE("no sources give no results") {
  ToyDecoder decoder;
  CHECK(beam_search(decoder, {}, {}).empty());
}

TEST_CASE("a limit of one piece ends or cuts at once") {
  ToyDecoder decoder;
  const auto found = search(decoder, {{4}}, {1}, {.beam_size = 5, .n_best = 5})[0];
  REQUIRE(found.size() == 5);
  CHECK(found[0].ids.empty());
  CHECK_FALSE(found[0].hit_limit);
  CHECK(found[1].hit_limit);
}

TEST_CASE("no piece comes before the end of a prefix, and the scores count it") {
  ToyDecoder decoder;
  const Ids prefix = GENERATE(Ids{}, Ids{5}, Ids{7, 7, 4, 6, 5});
  const SearchOptions options{.beam_size = 4, .length_penalty = 0.6, .n_best = 4};
  std::vector<SearchSource> sentences = {{.ids = {4}, .max_length = 5},
                                         {.ids = {5}, .max_length = 5, .prefix = prefix}};
  const auto found = beam_search(decoder, sentences, options);
  REQUIRE(found[1].size() == 4);
  for (const auto& hypothesis : found[1]) {
    REQUIRE(hypothesis.ids.size() >= prefix.size());
    CHECK(std::equal(prefix.begin(), prefix.end(), hypothesis.ids.begin()));
    double log_prob = 0;
    Ids before;
    Ids pieces = hypothesis.ids;
    if (!hypothesis.hit_limit) pieces.push_back(kEos);
    CHECK(pieces.size() <= prefix.size() + 5);
    for (const int32_t piece : pieces) {
      const auto place = std::ranges::find(kWords, piece) - kWords.begin();
      log_prob += next_log_probs({5}, before)[place];
      before.push_back(piece);
    }
    CHECK(hypothesis.log_prob == Approx(log_prob));
  }
}

TEST_CASE("a prefix that the search would choose anyway changes nothing") {
  ToyDecoder decoder;
  const SearchOptions options{.beam_size = 1};
  const auto free = search(decoder, {{9}}, {20}, options)[0][0];
  REQUIRE(free.ids.size() > 1);
  const SearchSource source{.ids = {9}, .max_length = 20, .prefix = {free.ids[0]}};
  CHECK(beam_search(decoder, {source}, options)[0][0].ids == free.ids);
}

TEST_CASE("a prefix that ends in eos is a score") {
  ToyDecoder decoder;
  const SearchSource source{.ids = {4}, .max_length = 1, .prefix = {5, 6, kEos}};
  const auto found = beam_search(decoder, {source}, {.beam_size = 1})[0][0];
  CHECK(found.ids == Ids{5, 6});
  CHECK_FALSE(found.hit_limit);
  const double log_prob =
      next_log_probs({4}, {})[2] + next_log_probs({4}, {5})[3] + next_log_probs({4}, {5, 6})[0];
  CHECK(found.log_prob == Approx(log_prob));
}

TEST_CASE("no n-gram comes twice, and the end remains when all else is blocked") {
  ToyDecoder decoder;
  for (int32_t word = 4; word < 20; ++word) {
    const auto found =
        search(decoder, {{word}}, {30}, {.beam_size = 3, .n_best = 3, .no_repeat_ngram = 1})[0];
    for (const auto& hypothesis : found) {
      const std::set<int32_t> distinct(hypothesis.ids.begin(), hypothesis.ids.end());
      CHECK(distinct.size() == hypothesis.ids.size());
      CHECK_FALSE(hypothesis.hit_limit);  // after four words only the end is left
      CHECK(hypothesis.log_prob > -100);
    }
  }
}

TEST_CASE("nothing ends before the least length") {
  ToyDecoder decoder;
  const auto found =
      search(decoder, {{4}}, {10}, {.beam_size = 4, .n_best = 4, .min_length = 6})[0];
  for (const auto& hypothesis : found) {
    CHECK(hypothesis.ids.size() >= 6);
  }
}

TEST_CASE("each piece remembers what it attended to, the end leaves nothing") {
  ToyDecoder decoder;
  const auto found =
      search(decoder, {{4}}, {10}, {.beam_size = 4, .n_best = 4, .alignment = true})[0];
  for (const auto& hypothesis : found) {
    REQUIRE(hypothesis.attended.size() == hypothesis.ids.size());
    for (size_t i = 0; i < hypothesis.attended.size(); ++i) {
      CHECK(hypothesis.attended[i] == static_cast<int32_t>(i));
    }
  }
}

TEST_CASE("samples depend on seed, sentence and number alone, and follow the distribution") {
  ToyDecoder decoder;
  const SearchOptions options{.n_best = 2000, .sampling = SamplingOptions{.seed = 3}};
  const auto alone = search(decoder, {{4}}, {1}, options)[0];
  const auto together = search(decoder, {{4}, {5}}, {1, 1}, options);
  REQUIRE(alone.size() == 2000);
  double ended = 0;
  for (size_t i = 0; i < alone.size(); ++i) {
    CHECK(alone[i].ids == together[0][i].ids);
    ended += alone[i].ids.empty();
  }
  CHECK(ended / 2000 == Approx(std::exp(next_log_probs({4}, {})[0])).margin(0.05));
  const auto other =
      search(decoder, {{4}}, {1}, {.n_best = 2000, .sampling = SamplingOptions{.seed = 4}})[0];
  CHECK(std::ranges::any_of(alone,
                            [&](const auto& a) { return a.ids != other[&a - alone.data()].ids; }));
}

TEST_CASE(
    "sampling comes close to greedy as the temperature falls, and is greedy with one choice") {
  ToyDecoder decoder;
  for (int32_t word = 4; word < 20; ++word) {
    const auto greedy = search(decoder, {{word}}, {12}, {.beam_size = 1})[0][0];
    for (const auto& sampling : {SamplingOptions{.temperature = 1e-3}, SamplingOptions{.top_k = 1},
                                 SamplingOptions{.top_p = 1e-6}}) {
      const auto drawn = search(decoder, {{word}}, {12}, {.n_best = 1, .sampling = sampling})[0][0];
      CHECK(drawn.ids == greedy.ids);
      CHECK(drawn.log_prob == Approx(greedy.log_prob));
    }
  }
}

TEST_CASE("by CTranslate2's rules a beam stays as wide and stops at as many ended ones") {
  ToyDecoder decoder;
  const SearchOptions options{
      .beam_size = 3, .length_penalty = 1, .n_best = 3, .rules = SearchRules::kCtranslate2};
  for (int32_t word = 4; word < 20; ++word) {
    const auto found = search(decoder, {{word}}, {30}, options)[0];
    REQUIRE(found.size() == 3);
    for (const auto& hypothesis : found) {
      CHECK_FALSE(hypothesis.ids.empty());
      CHECK(hypothesis.score ==
            Approx(hypothesis.log_prob / static_cast<double>(hypothesis.ids.size() + 1)));
    }
    CHECK(std::ranges::is_sorted(found, std::greater<>(), &Hypothesis::score));
  }
}

}  // namespace xformer
