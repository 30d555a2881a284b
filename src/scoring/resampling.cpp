#include "scoring/resampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scoring/line_blocks.h"
#include "scoring/numpy_random.h"

namespace xformer {
namespace {

/// Random numbers come from one stream: so many are drawn ahead for the threads to work on.
constexpr size_t kDrawnAhead = size_t{1} << 22;

/// numpy's sum of contiguous numbers: pairwise, eight partial sums in blocks of 128.
template <typename Number>
Number pairwise_sum(std::span<const Number> numbers) {
  constexpr size_t kBlock = 128, kLanes = 8;
  const size_t size = numbers.size();
  if (size < kLanes) return std::accumulate(numbers.begin(), numbers.end(), Number{0});
  if (size > kBlock) {
    const size_t half = size / 2 - size / 2 % kLanes;
    return pairwise_sum(numbers.first(half)) + pairwise_sum(numbers.subspan(half));
  }
  Number r[kLanes];
  std::copy_n(numbers.begin(), kLanes, r);
  size_t i = kLanes;
  for (; i + kLanes <= size; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) r[lane] += numbers[i + lane];
  }
  Number sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (; i < size; ++i) sum += numbers[i];
  return sum;
}

template <typename Number>
double numpy_mean(const std::vector<double>& values) {
  const std::vector<Number> numbers(values.begin(), values.end());
  return pairwise_sum(std::span<const Number>(numbers)) / static_cast<Number>(numbers.size());
}

double numpy_mean(const std::vector<double>& values, bool single) {
  return single ? numpy_mean<float>(values) : numpy_mean<double>(values);
}

double rounded(double value, bool single) {
  return single ? static_cast<double>(static_cast<float>(value)) : value;
}

/// Half the distance between the scores with a fortieth of all below and above.
double half_width(std::vector<double> scores, bool single) {
  std::sort(scores.begin(), scores.end());
  const size_t lower = scores.size() / 40, upper = scores.size() - lower - 1;
  return 0.5 * rounded(scores[upper] - scores[lower], single);
}

/// The real differences are never attributed to chance, hence the ones (Riezler and Maxwell 2005).
double p_value(size_t larger, size_t trials) {
  return static_cast<double>(larger + 1) / static_cast<double>(trials + 1);
}

/// Calls `draw` for trial after trial in their order, and `work` for all trials on several threads.
template <typename Draw, typename Work>
void for_each_trial(size_t trials, size_t lines, size_t threads, Draw draw, Work work) {
  const size_t ahead = std::max<size_t>(1, kDrawnAhead / lines);
  for (size_t first = 0; first < trials; first += ahead) {
    const size_t count = std::min(ahead, trials - first);
    for (size_t i = 0; i < count; ++i) draw(i);
    for_each_block(count, 1, threads, [&]() -> BlockWorker {
      return [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) work(first + i, i);
      };
    });
  }
}

}  // namespace

Resamples bootstrap(const Metric& metric, const CorpusStatistics& statistics, size_t count,
                    uint64_t seed, size_t threads) {
  const size_t lines = statistics.lines(), width = statistics.width();
  NumpyRandom random(seed);
  NumpyChoice choice(random, static_cast<uint32_t>(lines));
  std::vector<ResampledScore> scores(count);
  std::vector<uint32_t> drawn(std::min(count, std::max<size_t>(1, kDrawnAhead / lines)) * lines);
  const auto draw = [&](size_t slot) {
    for (size_t i = 0; i < lines; ++i) drawn[slot * lines + i] = choice.next();
  };
  const auto score = [&](size_t trial, size_t slot) {
    std::vector<float> sums(width);
    for (size_t i = 0; i < lines; ++i) {
      const auto row = statistics[drawn[slot * lines + i]];
      for (size_t k = 0; k < width; ++k) sums[k] += static_cast<float>(row[k]);
    }
    scores[trial] = metric.score_of_singles(sums);
  };
  for_each_trial(count, lines, threads, draw, score);

  Resamples result;
  for (const ResampledScore& s : scores) result.scores.push_back(s.value);
  result.single =
      std::all_of(scores.begin(), scores.end(), [](const ResampledScore& s) { return s.single; });
  return result;
}

Confidence confidence_of_one(const Resamples& resamples) {
  const auto& scores = resamples.scores;
  const long double sum = std::accumulate(scores.begin(), scores.end(), 0.0L);
  const auto mean = static_cast<double>(sum / static_cast<long double>(scores.size()));
  return {rounded(mean, resamples.single), half_width(scores, resamples.single)};
}

Confidence confidence_of_compared(const Resamples& resamples) {
  // sacreBLEU adds the scores up in the order of their size.
  std::vector<double> sorted = resamples.scores;
  std::sort(sorted.begin(), sorted.end());
  return {numpy_mean(sorted, resamples.single), half_width(sorted, resamples.single)};
}

double bootstrap_p_value(const Resamples& baseline, const Resamples& system, double difference) {
  const bool single = baseline.single && system.single;
  std::vector<double> differences(system.scores.size());
  for (size_t i = 0; i < differences.size(); ++i) {
    differences[i] = std::abs(rounded(system.scores[i] - baseline.scores[i], single));
  }
  const double mean = numpy_mean(differences, single);
  const auto larger = std::count_if(differences.begin(), differences.end(), [&](double d) {
    return rounded(d - mean, single) > rounded(difference, single);
  });
  return p_value(static_cast<size_t>(larger), differences.size());
}

double randomization_p_value(const Metric& metric, const CorpusStatistics& baseline,
                             const CorpusStatistics& system, size_t trials, uint64_t seed,
                             size_t threads) {
  const size_t lines = baseline.lines(), width = baseline.width();
  const double difference = std::abs(metric.score(baseline.sums()) - metric.score(system.sums()));
  NumpyRandom random(seed);
  NumpyBits bits(random);
  std::vector<char> stays(std::min(trials, std::max<size_t>(1, kDrawnAhead / lines)) * lines);
  std::vector<char> is_larger(trials);
  const auto draw = [&](size_t slot) {
    for (size_t i = 0; i < lines; ++i) stays[slot * lines + i] = bits.next();
  };
  const auto score = [&](size_t trial, size_t slot) {
    std::vector<double> a(width), b(width);
    for (size_t i = 0; i < lines; ++i) {
      const bool stay = stays[slot * lines + i] != 0;
      const auto to_a = stay ? baseline[i] : system[i], to_b = stay ? system[i] : baseline[i];
      for (size_t k = 0; k < width; ++k) {
        a[k] += to_a[k];
        b[k] += to_b[k];
      }
    }
    is_larger[trial] =
        std::abs(metric.score_of_integers(a) - metric.score_of_integers(b)) > difference;
  };
  for_each_trial(trials, lines, threads, draw, score);
  return p_value(static_cast<size_t>(std::count(is_larger.begin(), is_larger.end(), 1)), trials);
}

}  // namespace xformer
