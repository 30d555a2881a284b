#include "scoring/ngram_sorter.h"

#include <random>

#include "catch.h"
#include "scoring/ngram_matcher.h"

using namespace xformer;

namespace {

using Sequence = std::vector<int32_t>;

std::vector<double> sorted_matches(NgramSorter& sorter, const Sequence& hypothesis,
                                   const Sequence& reference, int64_t items, size_t orders) {
  std::vector<double> sums(orders, 100);
  sorter.add_matches(hypothesis, reference, items, sums);
  return sums;
}

std::vector<double> matcher_matches(const Sequence& hypothesis, const Sequence& reference,
                                    size_t orders) {
  NgramMatcher matcher(static_cast<int>(orders));
  matcher.set_hypothesis(hypothesis);
  matcher.add_reference(reference);
  std::vector<double> sums(orders, 100);
  matcher.add_matches(sums);
  return sums;
}

}  // namespace

TEST_CASE("sorting finds the matches that the trie finds") {
  std::mt19937 random(2);
  NgramSorter sorter;
  for (int line = 0; line < 600; ++line) {
    CAPTURE(line);
    const auto kinds = static_cast<int32_t>(1 + random() % (line % 3 == 0 ? 200 : 4));
    const auto random_sequence = [&] {
      Sequence sequence(random() % (line % 50 == 0 ? 300 : 12));
      for (int32_t& item : sequence) item = 1 + static_cast<int32_t>(random() % kinds);
      return sequence;
    };
    const Sequence hypothesis = random_sequence(), reference = random_sequence();
    for (const size_t orders : {1, 2, 4, 6}) {
      CAPTURE(orders);
      REQUIRE(NgramSorter::fits(kinds, static_cast<int>(orders)));
      CHECK(sorted_matches(sorter, hypothesis, reference, kinds, orders) ==
            matcher_matches(hypothesis, reference, orders));
    }
  }
}

TEST_CASE("stretches that just fit into a number are counted right") {
  NgramSorter sorter;
  for (const auto& [items, orders] : {std::pair<int64_t, int>{1, 63},
                                      {(1 << 15) - 1, 4},
                                      {1023, 6},
                                      {(int64_t{1} << 31) - 1, 2}}) {
    CAPTURE(items, orders);
    CHECK(NgramSorter::fits(items, orders));
    CHECK_FALSE(NgramSorter::fits(items + 1, orders));
    const auto top = static_cast<int32_t>(items);
    const Sequence hypothesis(70, top), reference(65, top);
    CHECK(sorted_matches(sorter, hypothesis, reference, items, orders) ==
          matcher_matches(hypothesis, reference, orders));
  }
}
