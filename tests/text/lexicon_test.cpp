#include "text/lexicon.h"

#include "catch.h"

namespace xformer {

TEST_CASE("pieces that keep coming together translate each other") {
  Lexicon lexicon;
  // 1 goes with 11, 2 with 12, 3 with 13; the words of each pair in any order.
  lexicon.add({1, 2}, {12, 11});
  lexicon.add({2, 3}, {12, 13});
  lexicon.add({3, 1}, {11, 13});
  lexicon.add({1}, {11});
  lexicon.learn(10);
  const auto best = lexicon.best(5, 1);
  REQUIRE(best.size() == 5);
  CHECK(best[0].empty());
  CHECK(best[1] == std::vector<int32_t>{11});
  CHECK(best[2] == std::vector<int32_t>{12});
  CHECK(best[3] == std::vector<int32_t>{13});
  CHECK(lexicon.best(5, 10)[1].size() == 3);
}

}  // namespace xformer
