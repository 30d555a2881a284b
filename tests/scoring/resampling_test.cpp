#include "scoring/resampling.h"

#include "catch.h"
#include "metric_scores.h"
#include "scoring/bleu.h"
#include "scoring/chrf.h"
#include "scoring/exactly.h"
#include "scoring/example_lines.h"
#include "scoring/numpy_random.h"
#include "scoring/ter.h"

using namespace xformer;

namespace {

constexpr uint64_t kSeed = 12345;

const Lines kOther = {"The dog bit a man.", "It was not surprising.", "A man bit him first."};

std::vector<uint32_t> choices(uint64_t seed, uint32_t size, size_t count) {
  NumpyRandom random(seed);
  NumpyChoice choice(random, size);
  std::vector<uint32_t> numbers;
  while (numbers.size() < count) numbers.push_back(choice.next());
  return numbers;
}

/// A float32 as numpy prints it.
Approx single(double value) {
  return Approx(value).epsilon(1e-7);
}

}  // namespace

// All figures are those of numpy 2.4 and of the sacrebleu package 2.6.0.

TEST_CASE("random numbers are numpy's") {
  NumpyRandom random(kSeed);
  CHECK(random.next64() == 0x3a32b18db2ffc19d);
  CHECK(random.next64() == 0x51171315c9e4c4de);
  CHECK(random.next64() == 0xcc2024823444efd9);
  CHECK(choices(kSeed, 1000, 12) ==
        std::vector<uint32_t>{699, 227, 788, 316, 204, 797, 642, 676, 988, 391, 839, 332});
  CHECK(choices(kSeed, 3000000000, 4) ==
        std::vector<uint32_t>{2097645094, 682008066, 2365940964, 950275018});
  CHECK(choices((uint64_t{1} << 40) + 7, 7, 10) ==
        std::vector<uint32_t>{1, 5, 4, 1, 0, 1, 3, 4, 6, 5});
  CHECK(choices(kSeed, 1, 3) == std::vector<uint32_t>{0, 0, 0});
}

TEST_CASE("random bits are numpy's") {
  NumpyRandom random(kSeed);
  NumpyBits bits(random);
  std::string text;
  for (int i = 0; i < 80; ++i) text += bits.next() ? '1' : '0';
  CHECK(text == "10111001100000111111111101001101101100011000110101001100010111000111101100100011");
}

TEST_CASE("a confidence interval is sacreBLEU's, whatever the number of threads") {
  for (const size_t threads : {1, 2}) {
    const auto confidence = [&](const Metric& metric) {
      const auto statistics = statistics_of(metric, kHypotheses, {kReferences});
      return confidence_of_one(bootstrap(metric, statistics, 50, kSeed, threads));
    };
    CHECK(confidence(Bleu()).mean == exactly(45.79214178432135));
    CHECK(confidence(Bleu()).half_width == exactly(46.75499683004279));
    CHECK(confidence(Chrf({.word_order = 2})).mean == single(54.134586));
    CHECK(confidence(Chrf({.word_order = 2})).half_width == single(38.103333));
    CHECK(confidence(Ter()).mean == single(47.552013));
    CHECK(confidence(Ter()).half_width == single(39.285713));
  }
}

TEST_CASE("p-values of the paired bootstrap are sacreBLEU's") {
  const auto p_value = [](const Metric& metric) {
    const auto one = statistics_of(metric, kHypotheses, {kReferences});
    const auto other = statistics_of(metric, kOther, {kReferences});
    const double difference = std::abs(metric.score(one.sums()) - metric.score(other.sums()));
    return bootstrap_p_value(bootstrap(metric, one, 100, kSeed, 1),
                             bootstrap(metric, other, 100, kSeed, 1), difference);
  };
  CHECK(p_value(Bleu()) == exactly(0.3069306930693069));
  CHECK(p_value(Chrf()) == exactly(0.16831683168316833));
  CHECK(p_value(Ter()) == exactly(0.0297029702970297));
}

TEST_CASE("p-values of approximate randomization are sacreBLEU's") {
  const auto p_value = [](const Metric& metric) {
    return randomization_p_value(metric, statistics_of(metric, kHypotheses, {kReferences}),
                                 statistics_of(metric, kOther, {kReferences}), 100, kSeed, 2);
  };
  CHECK(p_value(Bleu()) == exactly(0.7326732673267327));
  CHECK(p_value(Chrf()) == exactly(0.4752475247524752));
  CHECK(p_value(Ter()) == exactly(0.18811881188118812));
}
