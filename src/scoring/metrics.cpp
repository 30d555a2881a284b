#include "scoring/metrics.h"

#include <fmt/format.h>

#include <set>

#include "runtime/error.h"

namespace xformer {
namespace {

BleuOptions bleu_options(const MetricOptions& options) {
  BleuOptions bleu = options.bleu;
  bleu.lowercase = options.lowercase;
  bleu.smoothing.method = smoothing_named(options.smooth_method);
  const bool takes_value =
      bleu.smoothing.method == Smoothing::kFloor || bleu.smoothing.method == Smoothing::kAddK;
  if (bleu.smoothing.value && !takes_value) {
    throw UserError(
        fmt::format("--smooth-value is {}, but --smooth-method is {}: only floor and add-k have a "
                    "value",
                    *bleu.smoothing.value, options.smooth_method));
  }
  return bleu;
}

ChrfOptions chrf_options(const MetricOptions& options) {
  ChrfOptions chrf = options.chrf;
  chrf.lowercase = options.lowercase;
  if (chrf.char_order + chrf.word_order == 0) {
    throw UserError(
        "--chrf-char-order and --chrf-word-order are 0, one of them must be at least 1");
  }
  return chrf;
}

}  // namespace

Metrics make_metrics(const MetricOptions& options) {
  Metrics metrics;
  for (const std::string& name : std::set(options.names.begin(), options.names.end())) {
    if (name == "bleu") {
      metrics.push_back(std::make_unique<Bleu>(bleu_options(options)));
    } else if (name == "chrf") {
      metrics.push_back(std::make_unique<Chrf>(chrf_options(options)));
    } else if (name == "ter") {
      metrics.push_back(std::make_unique<Ter>(options.ter));
    } else {
      throw UserError("--metric is " + name + ", must be bleu, chrf or ter");
    }
  }
  return metrics;
}

std::string signature_of(const Metric& metric, const ScoringRun& run) {
  std::string signature = fmt::format("nrefs:{}", run.references);
  if (run.bootstrap) signature += fmt::format("|bs:{}", *run.bootstrap);
  if (run.randomization) signature += fmt::format("|ar:{}", *run.randomization);
  if (run.bootstrap || run.randomization) signature += fmt::format("|seed:{}", run.seed);
  return fmt::format("{}|{}|version:xformer-{}-as-sacrebleu-{}", signature, metric.signature(),
                     XFORMER_VERSION, kSacrebleuVersion);
}

}  // namespace xformer
