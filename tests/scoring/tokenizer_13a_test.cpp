#include "scoring/tokenizer_13a.h"

#include <random>

#include "catch.h"
#include "scoring/python_strings.h"

using namespace xformer;

namespace {

/// Tokens with one space between them, the form in which sacreBLEU's tokenizer answers.
std::string tokens(std::string_view line) {
  const std::string text = tokenize_13a(line);
  std::vector<std::string_view> words;
  split_words(text, words);
  std::string result;
  for (const std::string_view word : words) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

}  // namespace

// The expected tokens are those of sacrebleu.tokenizers.tokenizer_13a.Tokenizer13a, version 2.6.0.

TEST_CASE("13a sets symbols apart, but not the apostrophe") {
  CHECK(tokens("Hello, world!") == "Hello , world !");
  CHECK(tokens("(a)[b]{c}~`@^_|\\/%#*+=<>?;:\"") ==
        "( a ) [ b ] { c } ~ ` @ ^ _ | \\ / % # * + = < > ? ; : \"");
  CHECK(tokens("don't") == "don't");
  CHECK(tokens("'q' ,x -y") == "'q' , x -y");
  CHECK(tokens("„Hallo“ – ja") == "„Hallo“ – ja");
}

TEST_CASE("13a keeps full stops and commas inside numbers") {
  CHECK(tokens("It costs $1,234.56.") == "It costs $ 1,234.56 .");
  CHECK(tokens("pi=3.14, e=2.") == "pi = 3.14 , e = 2 .");
  CHECK(tokens("a.b") == "a . b");
  CHECK(tokens("1.") == "1 .");
  CHECK(tokens("1,,2") == "1 , , 2");
  CHECK(tokens("1.,2") == "1 . , 2");
  CHECK(tokens("a...b...") == "a . . . b . . .");
  CHECK(tokens("5.é é.5") == "5 . é é . 5");
  CHECK(tokens("٣.٣") == "٣ . ٣");
}

TEST_CASE("13a does not look again at a character that a rule has just used") {
  CHECK(tokens("a.,5") == "a . ,5");
  CHECK(tokens("a,.5b") == "a , .5b");
}

TEST_CASE("13a sets a hyphen apart after a digit only") {
  CHECK(tokens("the well-known 1990-91 x-2") == "the well-known 1990 - 91 x-2");
  CHECK(tokens("1-2-3-") == "1 - 2 - 3 -");
}

TEST_CASE("13a undoes SGML in its order") {
  CHECK(tokens("&quot;A&amp;B&quot; &lt;x&gt; &amp;lt;") == "\" A & B \" < x > <");
  CHECK(tokens("&amp;quot;") == "& quot ;");
  CHECK(tokens("&apos;") == "& apos ;");
  CHECK(tokens("x<skipped>y") == "xy");
  CHECK(tokens("<skip<skipped>ped>") == "< skipped >");
  CHECK(tokens("end-\nof line\nnext") == "endof line next");
}

TEST_CASE("13a of nothing is nothing") {
  CHECK(tokens("").empty());
  CHECK(tokens(" \t\u3000").empty());
}

TEST_CASE("splitting without a copy gives the same words") {
  std::mt19937 random(3);
  const std::vector<std::string> parts = {
      "a",      "B",     "é",         "中",   "1",    "2",   ".",   ",",  "-",
      "'",      " ",     " ",         "!",    "&",    "<",   "(",   "\t", "\u00a0",
      "&quot;", "&amp;", "<skipped>", "\x01", "word", "3.5", "\xe2"};
  LineWords fast;
  for (int line = 0; line < 20000; ++line) {
    std::string text;
    for (size_t n = random() % 30; n > 0; --n) text += parts[random() % parts.size()];
    CAPTURE(text);
    split_13a(text, fast);
    std::string joined;
    for (const std::string_view word : fast.words) {
      if (!joined.empty()) joined += ' ';
      joined += word;
    }
    REQUIRE(joined == tokens(text));
  }
}
