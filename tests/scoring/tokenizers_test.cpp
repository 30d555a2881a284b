#include "catch.h"
#include "scoring/bleu_tokenizer.h"
#include "scoring/unicode_categories.h"

using namespace xformer;

namespace {

std::string tokens(const std::string& tokenizer, const std::string& line) {
  LineWords words;
  make_bleu_tokenizer(tokenizer)->split(line, words);
  std::string result;
  for (const std::string_view word : words.words) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

}  // namespace

// The expected tokens are those of the sacrebleu package 2.6.0. More of it: test_eval_parity.py.

TEST_CASE("intl sets punctuation and symbols of all scripts apart") {
  CHECK(tokens("intl", "„Hallo“, 3,5 €!") == "„ Hallo “ , 3,5 € !");
  CHECK(tokens("intl", "in 2009.") == "in 2009.");
  CHECK(tokens("intl", "a…b ×") == "a … b ×");
}

TEST_CASE("zh takes Chinese characters one by one, and much else") {
  CHECK(tokens("zh", "我有3.5只dog。") == "我 有 3.5 只 dog 。");
  CHECK(tokens("zh", "a…b \u2001") == "a … b");
  CHECK(tokens("zh", "x&lt;y") == "x & lt ; y");
}

TEST_CASE("char and none do what they say") {
  CHECK(tokens("char", "añ 中") == "a ñ 中");
  CHECK(tokens("none", "a, b\u00a0c") == "a, b c");
}

TEST_CASE("symbols that are younger than ICU are symbols") {
  CHECK(category_of(0x20C1) == Category::kSymbol);
  CHECK(category_of(0x1CCF0) == Category::kNumber);
  CHECK(category_of(0x1E5FF) == Category::kPunctuation);
  CHECK(category_of(0x1FBFB) == Category::kOther);
  CHECK(category_of('a') == Category::kOther);
  CHECK(category_of('$') == Category::kSymbol);
}
