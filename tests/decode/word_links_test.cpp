#include "decode/word_links.h"

#include "catch.h"

namespace xformer {
namespace {

using Links = std::vector<std::pair<int32_t, int32_t>>;

}  // namespace

TEST_CASE("a piece with the mark of a space begins a word, and so does the first") {
  CHECK(words_of({"▁ein", "▁Hu", "nd", "▁", "."}) == std::vector<int32_t>{0, 1, 1, 2, 2});
  CHECK(words_of({"x", "y", "▁z"}) == std::vector<int32_t>{0, 0, 1});
  CHECK(words_of({}).empty());
}

TEST_CASE("spaces without a word belong to the word behind them, at the end to that before") {
  CHECK(words_of({"▁a", "▁", "▁b"}) == std::vector<int32_t>{0, 1, 1});
  CHECK(words_of({"▁a", "▁", "▁", "b", "▁c"}) == std::vector<int32_t>{0, 1, 1, 1, 2});
  CHECK(words_of({"▁a", "▁b", "▁"}) == std::vector<int32_t>{0, 1, 1});
  CHECK(words_of({"▁", "a"}) == std::vector<int32_t>{0, 0});
  CHECK(words_of({"▁"}) == std::vector<int32_t>{0});
}

TEST_CASE("each target word has one link, to the word that most of its pieces attended to") {
  const auto source = words_of({"▁ein", "▁Hu", "nd"});
  CHECK(word_links(source, words_of({"▁a", "▁do", "g", "gy"}), {0, 0, 1, 2}) ==
        Links{{0, 0}, {1, 1}});
  CHECK(word_links(source, words_of({"▁do", "g"}), {2, 0}) == Links{{0, 0}});  // the first of two
  CHECK(word_links({}, {}, {}).empty());
}

}  // namespace xformer
