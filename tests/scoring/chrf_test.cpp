#include "scoring/chrf.h"

#include <random>

#include "catch.h"
#include "metric_scores.h"
#include "scoring/exactly.h"
#include "scoring/example_lines.h"

using namespace xformer;

// All figures are those of the sacrebleu package 2.6.0.

TEST_CASE("chrF of one and of two references, under every option") {
  struct Case {
    ChrfOptions options;
    double one, two;
  };
  const Case cases[] = {{{}, 50.043063606582294, 59.72751782684763},
                        {{.word_order = 2}, 51.7309698503746, 59.15310444399262},
                        {{.char_order = 3, .beta = 3}, 62.81242983801051, 70.42425018223081},
                        {{.whitespace = true}, 54.41334637570895, 65.8764867358276},
                        {{.eps_smoothing = true}, 50.04201680672269, 59.72734693786311},
                        {{.lowercase = true}, 50.043063606582294, 60.02302725455764}};
  for (const auto& [options, one, two] : cases) {
    const Chrf metric(options);
    CAPTURE(metric.signature());
    CHECK(corpus_score(metric, kHypotheses, {kReferences}) == exactly(one));
    CHECK(corpus_score(metric, kHypotheses, {kReferences, kMoreReferences}) == exactly(two));
  }
}

TEST_CASE("chrF of nothing is 0, of the same text 100") {
  CHECK(corpus_score(Chrf(), {""}, {{""}}) == 0);
  CHECK(corpus_score(Chrf(), {"abc"}, {{""}}) == 0);
  CHECK(corpus_score(Chrf(), {""}, {{"abc"}}) == 0);
  CHECK(corpus_score(Chrf(), {"ab c"}, {{"abc"}}) == exactly(100));
}

TEST_CASE("its name and signature say what it is") {
  CHECK(Chrf({.word_order = 2}).name() == "chrF2++");
  CHECK(Chrf({.beta = 3}).name() == "chrF3");
  CHECK(Chrf({.word_order = 2, .lowercase = true, .eps_smoothing = true}).signature() ==
        "case:lc|eff:no|nc:6|nw:2|space:no");
}

TEST_CASE("lines with more characters than fit the fast path are counted alike") {
  // 1,100 different characters, and the same text with each taken for one of 50 others: which
  // n-grams match depends on which characters are equal only.
  std::mt19937 random(4);
  std::string many, few, many_reference, few_reference;
  const auto add = [](std::string& text, int c) {
    text += {static_cast<char>(0xe4 + c / 4096), static_cast<char>(0x80 + c / 64 % 64),
             static_cast<char>(0x80 + c % 64)};
  };
  for (int i = 0; i < 300; ++i) {
    const int c = static_cast<int>(random() % 50), d = static_cast<int>(random() % 50);
    add(many, c), add(few, c), add(many_reference, d), add(few_reference, d);
  }
  for (int i = 0; i < 1100; ++i) {
    add(many, 100 + i);
    add(few, 100 + i % 2);
  }
  const Chrf metric;
  const auto wide = statistics_of(metric, {many}, {{many_reference}});
  const auto narrow = statistics_of(metric, {few}, {{few_reference}});
  for (size_t k = 2; k < wide.width(); k += 3) CHECK(wide[0][k] == narrow[0][k]);
}
