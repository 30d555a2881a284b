#include "scoring/ter.h"

#include <map>

#include "catch.h"
#include "metric_scores.h"
#include "scoring/exactly.h"
#include "scoring/example_lines.h"
#include "scoring/ter_shifts.h"

using namespace xformer;

namespace {

/// Each letter is a word.
int64_t edits(const std::string& hypothesis, const std::string& reference) {
  const auto words = [](const std::string& text) {
    return std::vector<int32_t>(text.begin(), text.end());
  };
  return TerEdits().count(words(hypothesis), words(reference));
}

}  // namespace

// All figures are those of the sacrebleu package 2.6.0.

TEST_CASE("a block that moves is one edit") {
  CHECK(edits("abcd", "abcd") == 0);
  CHECK(edits("bacd", "abcd") == 1);
  CHECK(edits("cdeab", "abcde") == 1);
  CHECK(edits("xyz", "abc") == 3);
  CHECK(edits("defabcg", "abcdefgh") == 2);
}

TEST_CASE("all of an empty text is edited") {
  CHECK(edits("", "ab") == 2);
  CHECK(edits("ab", "") == 2);
  CHECK(edits("", "") == 0);
  CHECK(corpus_score(Ter(), {""}, {{""}}) == 0);
  CHECK(corpus_score(Ter(), {"a b"}, {{""}}) == 100);
}

TEST_CASE("lengths that differ very much are still compared") {
  // The diagonal's neighbourhood ends before the two words that are equal.
  CHECK(edits("ab", std::string(150, 'x') + "ab") == 152);
  CHECK(edits(std::string(150, 'x') + "ab", "ab") == 150);
}

TEST_CASE("TER of one and of two references, under every option") {
  struct Case {
    TerTokenizerOptions options;
    double one, two;
  };
  const Case cases[] = {{{}, 50.0, 40.0},
                        {{.normalized = true}, 41.17647058823529, 33.33333333333333},
                        {{.no_punct = true}, 50.0, 40.0},
                        {{.case_sensitive = true}, 50.0, 40.0}};
  for (const auto& [options, one, two] : cases) {
    const Ter metric(options);
    CAPTURE(metric.signature());
    CHECK(corpus_score(metric, kHypotheses, {kReferences}) == exactly(one));
    CHECK(corpus_score(metric, kHypotheses, {kReferences, kMoreReferences}) == exactly(two));
  }
}

TEST_CASE("its tokenizer splits and removes what it is told to") {
  CHECK(tokenize_ter("The Dog's 3.5, OK.", {}) == "the dog's 3.5, ok.");
  CHECK(tokenize_ter("a,b. (c)", {.no_punct = true}) == "ab c");
  CHECK(tokenize_ter("中。文", {.no_punct = true, .asian_support = true}) == "中文");
  CHECK(tokenize_ter("A", {.case_sensitive = true}) == "A");
  CHECK(tokenize_ter("it's &lt;", {.normalized = true}) == " it 's  <  ");
}
