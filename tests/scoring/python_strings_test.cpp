#include "scoring/python_strings.h"

#include "catch.h"

using namespace xformer;

namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words{"from the line before"};
  split_words(text, words);
  return words;
}

// All characters for which Python's str.isspace() holds.
const std::vector<std::string> kWhitespace = {
    "\t",     "\n",     "\v",     "\f",     "\r",     "\x1c",   "\x1d",   "\x1e",
    "\x1f",   " ",      "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002",
    "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
    "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};

// Neighbours of these in code or in bytes, and what looks like white space but is none.
const std::vector<std::string> kNoWhitespace = {
    "\x1b",   "!",      "\x7f",   "\u0084", "\u0086", "\u009f", "\u00a1",    "\u167f", "\u1681",
    "\u180e", "\u1fff", "\u200b", "\u200d", "\u2027", "\u202a", "\u202e",    "\u2030", "\u205e",
    "\u2060", "\u2fff", "\u3001", "\ufeff", "\u00c2", "\u0105", "\U00010085"};

}  // namespace

TEST_CASE("words lie between white space of any kind") {
  for (const std::string& space : kWhitespace) {
    CAPTURE(space);
    CHECK(words_of(space + "a" + space + space + "é中" + space) ==
          std::vector<std::string_view>{"a", "é中"});
    CHECK(words_of(space).empty());
  }
  for (const std::string& other : kNoWhitespace) {
    CAPTURE(other);
    CHECK(words_of("a" + other + "b") == std::vector<std::string_view>{"a" + other + "b"});
  }
  CHECK(words_of("").empty());
}

TEST_CASE("a character cut off at the end is kept as it is") {
  CHECK(words_of("a \xe2\x80") == std::vector<std::string_view>{"a", "\xe2\x80"});
  CHECK(strip_end("a \xe2\x80") == "a \xe2\x80");
  CHECK(strip_end("\x80\x80") == "\x80\x80");
}

TEST_CASE("only the end is stripped") {
  for (const std::string& space : kWhitespace) {
    CAPTURE(space);
    CHECK(strip_end(space + "é" + space + "中" + space + space) == space + "é" + space + "中");
    CHECK(strip_end(space + space).empty());
  }
  for (const std::string& other : kNoWhitespace) {
    CAPTURE(other);
    CHECK(strip_end("a" + other) == "a" + other);
  }
}

TEST_CASE("lower case follows Unicode's full rules") {
  CHECK(lowercased("AZ az [@` 09") == "az az [@` 09");
  CHECK(lowercased("ÀÉÎ Ж Ǆ ẞ Ⅷ Ａ 𐐀") == "àéî ж ǆ ß ⅷ ａ 𐐨");
  CHECK(lowercased("İ") == "i\u0307");
  CHECK(lowercased("IΙ") == "iι");
  CHECK(lowercased("\u212a\u212b\u2126") == "kåω");
}

TEST_CASE("a capital sigma becomes final at the end of a word") {
  CHECK(lowercased("ΟΔΟΣ") == "οδος");
  CHECK(lowercased("ΟΔΟΣ, ΣΑΣ.") == "οδος, σας.");
  CHECK(lowercased("Σ") == "σ");
  CHECK(lowercased("ΑΣ.Α") == "ασ.α");  // the full stop is ignored in between
  CHECK(lowercased("Α\u0301Σ\u0301") == "α\u0301ς\u0301");
}
