// Statistics of scores by resampling lines: confidence intervals, and whether a system differs from
// a baseline (Koehn 2004; Riezler and Maxwell 2005), with sacreBLEU's random numbers and rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scoring/corpus_statistics.h"
#include "scoring/metric.h"

namespace xformer {

/// The mean of resampled scores, and half the width of what holds 95% of them.
struct Confidence {
  double mean = 0, half_width = 0;
};

/// Scores of corpora made of lines drawn at random.
struct Resamples {
  std::vector<double> scores;
  bool single = false;  ///< numpy holds them in float32
};

/// `count` corpora as large as this one, of lines drawn with replacement.
Resamples bootstrap(const Metric& metric, const CorpusStatistics& statistics, size_t count,
                    uint64_t seed, size_t threads);

/// Of a single system, and of one that is compared: the former sums exactly, the latter as numpy.
Confidence confidence_of_one(const Resamples& resamples);
Confidence confidence_of_compared(const Resamples& resamples);

/// Paired bootstrap: how probable a difference as large as `difference` is by chance.
double bootstrap_p_value(const Resamples& baseline, const Resamples& system, double difference);

/// Paired approximate randomization: `trials` times each line's two translations change sides with
/// probability 1/2.
double randomization_p_value(const Metric& metric, const CorpusStatistics& baseline,
                             const CorpusStatistics& system, size_t trials, uint64_t seed,
                             size_t threads);

}  // namespace xformer
