#include "scoring/ngram_matcher.h"

#include <array>
#include <map>
#include <random>

#include "catch.h"

using namespace xformer;

namespace {

using Words = std::vector<int32_t>;

std::map<Words, int64_t> ngrams(const Words& words, size_t order) {
  std::map<Words, int64_t> counts;
  for (size_t i = 0; i + order <= words.size(); ++i) {
    ++counts[Words(words.begin() + i, words.begin() + i + order)];
  }
  return counts;
}

/// Papineni et al. 2002, section 2.1, word for word.
int64_t clipped_matches(const Words& hypothesis, const std::vector<Words>& references,
                        size_t order) {
  int64_t sum = 0;
  for (const auto& [ngram, count] : ngrams(hypothesis, order)) {
    int64_t most = 0;
    for (const Words& reference : references) {
      const auto counts = ngrams(reference, order);
      const auto found = counts.find(ngram);
      if (found != counts.end()) most = std::max(most, found->second);
    }
    sum += std::min(count, most);
  }
  return sum;
}

std::array<double, 4> matches(NgramMatcher& matcher, const Words& hypothesis,
                              const std::vector<Words>& references) {
  matcher.set_hypothesis(hypothesis);
  for (const Words& reference : references) matcher.add_reference(reference);
  std::array<double, 4> sums{};
  matcher.add_matches(sums);
  return sums;
}

}  // namespace

TEST_CASE("a repeated word counts as often as one reference has it") {
  NgramMatcher matcher(4);
  enum : int32_t { kUnknown, kThe };
  const Words the(7, kThe);
  // "the cat is on the mat", "there is a cat on the mat"
  const Words reference_1 = {kThe, kUnknown, kUnknown, kUnknown, kThe, kUnknown};
  const Words reference_2 = {kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, kThe, kUnknown};
  // The paper's Example 2: a modified unigram precision of 2/7.
  CHECK(matches(matcher, the, {reference_1, reference_2}) == std::array<double, 4>{2, 0, 0, 0});
}

TEST_CASE("nothing matches nothing") {
  NgramMatcher matcher(4);
  CHECK(matches(matcher, {}, {{}}) == std::array<double, 4>{});
  CHECK(matches(matcher, {}, {{1}}) == std::array<double, 4>{});
  CHECK(matches(matcher, {1}, {{}}) == std::array<double, 4>{});
}

TEST_CASE("one matcher after the other line counts as slow counting does") {
  std::mt19937 random(1);
  constexpr int kWords = 8;
  NgramMatcher matcher(4);
  for (int line = 0; line < 500; ++line) {
    CAPTURE(line);
    const size_t kinds = 1 + random() % kWords;
    const auto random_words = [&] {
      Words words(random() % (line % 50 == 0 ? 300 : 12));
      for (int32_t& word : words) word = 1 + static_cast<int32_t>(random() % kinds);
      return words;
    };
    const Words hypothesis = random_words();
    std::vector<Words> references(1 + random() % 3);
    for (Words& reference : references) reference = random_words();
    const auto sums = matches(matcher, hypothesis, references);
    for (size_t order = 1; order <= sums.size(); ++order) {
      CAPTURE(order);
      CHECK(sums[order - 1] == clipped_matches(hypothesis, references, order));
    }
  }
}
