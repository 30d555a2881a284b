#include "scoring/comparison.h"

#include <cmath>

#include "runtime/stop_signal.h"
#include "scoring/corpus_statistics.h"

namespace xformer {
namespace {

/// One metric over all systems; the first one's figures serve the tests of all others.
class MetricComparison {
 public:
  MetricComparison(const Metric& metric, const std::vector<TextLines>& references,
                   const TestOptions& options)
      : metric_(metric), references_(references), options_(options) {}

  void add(const TextLines& system) {
    auto statistics =
        std::make_unique<CorpusStatistics>(metric_, system, references_, options_.threads);
    SystemScore result{.score = metric_.score(statistics->sums())};
    if (options_.test == PairedTest::kBootstrap) {
      Resamples resamples =
          bootstrap(metric_, *statistics, options_.samples, options_.seed, options_.threads);
      result.confidence = confidence_of_compared(resamples);
      if (baseline_) {
        const double difference = std::abs(scores_.front().score - result.score);
        result.p_value = bootstrap_p_value(baseline_resamples_, resamples, difference);
      } else {
        baseline_resamples_ = std::move(resamples);
      }
    } else if (options_.test == PairedTest::kRandomization && baseline_) {
      result.p_value = randomization_p_value(metric_, *baseline_, *statistics, options_.samples,
                                             options_.seed, options_.threads);
    }
    scores_.push_back(result);
    if (!baseline_) baseline_ = std::move(statistics);
  }

  std::vector<SystemScore> scores() const { return scores_; }

 private:
  const Metric& metric_;
  const std::vector<TextLines>& references_;
  const TestOptions& options_;
  std::unique_ptr<const CorpusStatistics> baseline_;
  Resamples baseline_resamples_;
  std::vector<SystemScore> scores_;
};

ScoringRun run_of(const TestOptions& options, size_t references) {
  ScoringRun run{.references = references, .seed = options.seed};
  if (options.test == PairedTest::kBootstrap) run.bootstrap = options.samples;
  if (options.test == PairedTest::kRandomization) run.randomization = options.samples;
  return run;
}

}  // namespace

Comparison compare(const Metrics& metrics, const std::vector<TextLines>& systems,
                   const std::vector<TextLines>& references, const TestOptions& options) {
  Comparison result;
  result.options = options;
  for (const TextLines& system : systems) result.systems.push_back(system.name());
  for (const auto& metric : metrics) {
    MetricComparison comparison(*metric, references, options);
    for (const TextLines& system : systems) {
      if (stop_requested()) return result;
      comparison.add(system);
    }
    result.metrics.push_back(metric->name());
    result.signatures.push_back(signature_of(*metric, run_of(options, references.size())));
    result.scores.push_back(comparison.scores());
  }
  return result;
}

}  // namespace xformer
