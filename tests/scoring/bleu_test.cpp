#include "scoring/bleu.h"

#include <stdexcept>

#include "catch.h"
#include "scoring/exactly.h"
#include "scoring/example_lines.h"
#include "scoring/metrics.h"
#include "scoring/score_report.h"

using namespace xformer;

namespace {

std::string to_string(const BleuScore& score) {
  return to_text({.name = "BLEU", .score = score.score, .details = bleu_details(score)}, 2);
}

Lines upper_cased(Lines lines) {
  for (std::string& line : lines) {
    for (char& c : line) {
      if (c >= 'a' && c <= 'z') c += 'A' - 'a';
    }
  }
  return lines;
}

}  // namespace

// All figures are those of the sacrebleu package 2.6.0.

TEST_CASE("BLEU of one and of two references") {
  const BleuScore one = corpus_bleu(kHypotheses, {kReferences});
  CHECK(one.score == exactly(45.06750632106114));
  CHECK(to_string(one) ==
        "BLEU = 45.07 70.6/42.9/36.4/37.5 (BP = 1.000 ratio = 1.000 hyp_len = 17 ref_len = 17)");
  const BleuScore two = corpus_bleu(kHypotheses, {kReferences, kMoreReferences});
  CHECK(two.score == exactly(48.530827009929865));
  CHECK(to_string(two) ==
        "BLEU = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)");
}

TEST_CASE("empty hypotheses are counted") {
  Lines hypotheses = kHypotheses;
  hypotheses[1] = "";
  const BleuScore gap = corpus_bleu(hypotheses, {kReferences});
  CHECK(gap.score == exactly(39.087231053576595));
  CHECK(to_string(gap) ==
        "BLEU = 39.09 76.9/54.5/44.4/42.9 (BP = 0.735 ratio = 0.765 hyp_len = 13 ref_len = 17)");
  CHECK(to_string(corpus_bleu({"", "", ""}, {kReferences})) ==
        "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 0.000 ratio = 0.000 hyp_len = 0 ref_len = 17)");
}

TEST_CASE("empty references are counted") {
  CHECK(corpus_bleu({"hello there", "a b c d e"}, {{"", "a b c d e"}}).score ==
        exactly(86.94417438899828));
  CHECK(corpus_bleu({"", "a b c d e"}, {{"", "a b c d e"}}).score == exactly(100));
  CHECK(to_string(corpus_bleu({""}, {{""}})) ==
        "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 0 ref_len = 0)");
}

TEST_CASE("a corpus of short lines scores 0") {
  CHECK(to_string(corpus_bleu({"Hi there ."}, {{"Hi there ."}})) ==
        "BLEU = 0.00 100.0/100.0/100.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)");
  CHECK(corpus_bleu({"Hi"}, {{"Hi"}}).score == 0);
  CHECK(corpus_bleu({"Hi", "a b c d"}, {{"Hi", "a b c d"}}).score == exactly(100));
}

TEST_CASE("without any match there is nothing to smooth") {
  CHECK(to_string(corpus_bleu({"x y z w"}, {{"a b c d"}})) ==
        "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)");
}

TEST_CASE("orders without a match are smoothed one after the other") {
  const BleuScore score = corpus_bleu({"a b c d e f"}, {{"a x c x e x"}});
  CHECK(score.score == exactly(10.682175159905853));
  CHECK(score.precisions[1] == exactly(100.0 / (2 * 5)));
  CHECK(score.precisions[2] == exactly(100.0 / (4 * 4)));
  CHECK(score.precisions[3] == exactly(100.0 / (8 * 3)));
}

TEST_CASE("hypothesis and reference are not interchangeable") {
  const Lines longer = {"The man rides a bike down the long road."};
  const Lines shorter = {"The man rides a bike."};
  CHECK(to_string(corpus_bleu(longer, {shorter})) ==
        "BLEU = 41.11 60.0/44.4/37.5/28.6 (BP = 1.000 ratio = 1.667 hyp_len = 10 ref_len = 6)");
  CHECK(to_string(corpus_bleu(shorter, {longer})) ==
        "BLEU = 40.83 100.0/80.0/75.0/66.7 (BP = 0.513 ratio = 0.600 hyp_len = 6 ref_len = 10)");
}

TEST_CASE("the nearest reference length counts, the shorter of two as near") {
  const auto reference_length = [](const Lines& references) {
    std::vector<Lines> sets;
    for (const std::string& reference : references) sets.push_back({reference});
    return corpus_bleu({"a b c d"}, sets).counts.reference_length;
  };
  CHECK(reference_length({"a b c d e", "a b c"}) == 3);
  CHECK(reference_length({"a b c", "a b c d e"}) == 3);
  CHECK(reference_length({"a b c d e f", "a b c d e", "b"}) == 5);
  CHECK(reference_length({"", "a b c d e f g h"}) == 0);
}

TEST_CASE("case counts unless it is lowered") {
  CHECK(corpus_bleu(upper_cased(kHypotheses), {kReferences}).score == exactly(3.867857032414505));
  CHECK(corpus_bleu(upper_cased(kReferences), {kReferences}).score == exactly(3.867857032414505));
  CHECK(corpus_bleu(upper_cased(kReferences), {kReferences}, {.lowercase = true}).score ==
        exactly(100));
  CHECK(
      corpus_bleu({"ΟΔΟΣ İZMİR STRASSE ẞ ΑΣ."}, {{"οδος i̇zmi̇r strasse ß ας."}}, {.lowercase = true})
          .score == exactly(100));
}

TEST_CASE("white space at the end of a line is not part of it") {
  const Lines plain = {"a well-known man -"};
  CHECK(corpus_bleu({"a well-known man -\n"}, {plain}).score == exactly(100));
  CHECK(corpus_bleu({"a well-known man -\r\n"}, {plain}).score == exactly(100));
  CHECK(corpus_bleu({"a\u00a0well-known\u3000man -\u2028"}, {plain}).score == exactly(100));
}

TEST_CASE("each smoothing has its own figure") {
  const Lines hypothesis = {"a b c d e f"}, reference = {"a x c x e x"};
  const auto score = [&](BleuSmoothing smoothing) {
    return corpus_bleu(hypothesis, {reference}, {.smoothing = smoothing}).score;
  };
  CHECK(score({.method = Smoothing::kNone}) == 0);
  CHECK(score({.method = Smoothing::kFloor}) == exactly(5.372849659117709));
  CHECK(score({.method = Smoothing::kFloor, .value = 0.5}) == exactly(17.965205598154213));
  CHECK(score({.method = Smoothing::kAddK}) == exactly(25.40663740773073));
  CHECK(score({.method = Smoothing::kAddK, .value = 0.3}) == exactly(11.57494339490258));
}

TEST_CASE("the effective order leaves out what lines are too short for") {
  CHECK(corpus_bleu({"Hi there"}, {{"Hi there"}}, {.smoothing = {.effective_order = true}}).score ==
        exactly(100));
  CHECK(corpus_bleu({"Hi there"}, {{"Hi there"}}).score == 0);
}

TEST_CASE("figures are rounded to even where they lie in the middle") {
  BleuScore score;
  score.precisions = {6.25, 18.75, 31.25, 43.75};
  score.brevity_penalty = 0.0625;
  CHECK(bleu_details(score) ==
        "6.2/18.8/31.2/43.8 (BP = 0.062 ratio = 0.000 hyp_len = 0 ref_len = 0)");
  CHECK(to_text({.name = "BLEU", .score = 6.25}) == "BLEU = 6.2");
}

TEST_CASE("the signature stands in the line as in sacreBLEU's") {
  const Bleu lower({.lowercase = true, .smoothing = {.method = Smoothing::kAddK, .value = 0.5}});
  const std::string signature = signature_of(lower, {.references = 2});
  CHECK(signature == "nrefs:2|case:lc|eff:no|tok:13a|smooth:add-k[0.50]|version:xformer-" +
                         std::string(XFORMER_VERSION) + "-as-sacrebleu-2.6.0");
  const std::string resampled = signature_of(Bleu(), {.bootstrap = 1000, .seed = 12345});
  CHECK(resampled.substr(0, 43) == "nrefs:1|bs:1000|seed:12345|case:mixed|eff:n");
  CHECK(to_text({"BLEU", "k:v", 45.06, {}, "details"}, 1) == "BLEU|k:v = 45.1 details");
}

TEST_CASE("tokenizers that cannot be had are refused by name") {
  for (const std::string name : {"ja-mecab", "ko-mecab", "14a", "spm"}) {
    CAPTURE(name);
    CHECK_THROWS_WITH(Bleu({.tokenizer = name}), Catch::Contains(name));
  }
  CHECK_THROWS_WITH(Bleu({.spm_model = "a.model"}), Catch::Contains("a.model"));
}

TEST_CASE("texts that do not belong together are refused") {
  CHECK_THROWS_AS(corpus_bleu({"a", "b"}, {{"a"}}), std::invalid_argument);
  CHECK_THROWS_AS(corpus_bleu({"a"}, {}), std::invalid_argument);
}
