// The metrics that a user asks for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scoring/bleu.h"
#include "scoring/chrf.h"
#include "scoring/ter.h"

namespace xformer {

/// Names that MetricOptions takes.
inline constexpr const char* kMetricNames[] = {"bleu", "chrf", "ter"};

struct MetricOptions {
  std::vector<std::string> names{"bleu"};
  bool lowercase = false;  ///< of BLEU and chrF; TER has its own switch
  std::string smooth_method = "exp";
  BleuOptions bleu{};
  ChrfOptions chrf{};
  TerTokenizerOptions ter{};
};

using Metrics = std::vector<std::unique_ptr<const Metric>>;

/// In sacreBLEU's order, which is the alphabet's, each once. Throws UserError for options that do
/// not go together.
Metrics make_metrics(const MetricOptions& options);

/// How a score came about, for its signature.
struct ScoringRun {
  size_t references = 1;
  std::optional<size_t> bootstrap{}, randomization{};  ///< resamples, trials
  uint64_t seed = 0;
};

/// What makes a score comparable: keys and values in sacreBLEU's form and order. The version names
/// this program and the sacreBLEU whose figures it gives:
/// "nrefs:1|case:mixed|...|version:xformer-1.2.3-as-sacrebleu-2.6.0".
std::string signature_of(const Metric& metric, const ScoringRun& run);

}  // namespace xformer
