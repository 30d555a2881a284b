#include "decode/search.h"

#include <cmath>
#include <functional>
#include <set>

#include "catch.h"
#include "decode/toy_decoder.h"

namespace xformer {
namespace {

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

TEST_CASE("sentences that are done leave the batch") {
  ToyDecoder decoder;
  search(decoder, {{4}, {5}, {6}}, {2, 9, 5}, {.beam_size = 1, .min_length = 9});
  CHECK(decoder.widths == std::vector<size_t>{3, 3, 2, 2, 2, 1, 1, 1, 1});
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

TEST_CASE("a piece that may not come leaves the draw to the others, however likely it is") {
  ToyDecoder decoder;
  const SearchOptions options{
      .n_best = 1, .min_length = 6, .sampling = SamplingOptions{.temperature = 1e-5}};
  for (int32_t word = 4; word < 40; ++word) {
    CHECK(search(decoder, {{word}}, {12}, options)[0][0].ids.size() >= 6);
  }
}

}  // namespace xformer
