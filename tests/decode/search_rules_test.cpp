// The rules of other tools' searches, against what they are described to be.
#include <algorithm>
#include <functional>

#include "catch.h"
#include "decode/toy_decoder.h"

namespace xformer {
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

TEST_CASE("by CTranslate2's rules an end that has all of the probability may be forbidden") {
  struct CertainEnd : ToyDecoder {
    Candidates best(const Wanted& wanted) override {
      auto candidates = ToyDecoder::best(wanted);
      for (float& log_prob : candidates.forced) log_prob = 1e-7F;  // as sums in float32 may end
      return candidates;
    }
  } decoder;
  const SearchOptions options{
      .beam_size = GENERATE(1, 3), .rules = SearchRules::kCtranslate2, .min_length = 4};
  const auto found = search(decoder, {{5}}, {8}, options)[0][0];
  CHECK(found.ids.size() >= 4);
  CHECK(std::isfinite(found.score));
}

}  // namespace xformer
