#include "commands/eval.h"

#include <fmt/format.h>

#include "commands/eval_texts.h"
#include "commands/output_folder.h"
#include "report/line_page.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/line_writer.h"
#include "runtime/log.h"
#include "runtime/processors.h"
#include "runtime/stop_signal.h"
#include "scoring/comparison.h"
#include "scoring/line_report.h"
#include "scoring/resampling.h"
#include "scoring/score_report.h"

namespace xformer {
namespace {

bool is_paired(const EvalOptions& options) {
  return !options.baseline.empty();
}

bool is_json(const EvalOptions& options) {
  return options.format == "json";
}

bool reports_lines(const EvalOptions& options) {
  return options.lines > 0 || !options.html.empty();
}

int decimals(const EvalOptions& options) {
  return options.width.value_or(kScoreDecimals);
}

size_t threads(const EvalOptions& options) {
  return static_cast<size_t>(threads_or_default(options.common.threads));
}

void refuse_if(bool condition, const char* message) {
  if (condition) throw UserError(message);
}

void check_options(const EvalOptions& options) {
  const bool several = options.hypotheses.size() > 1 || is_paired(options);
  const bool tested = options.bootstrap || options.randomization;
  refuse_if(is_paired(options) && options.hypotheses.empty(),
            "--baseline compares files: it needs --hypothesis");
  refuse_if(options.bootstrap && options.randomization,
            "--bootstrap and --randomization are two tests, only one of them can be made");
  refuse_if(options.randomization && !is_paired(options),
            "--randomization compares systems: it needs --baseline");
  refuse_if(options.bootstrap && several && !is_paired(options),
            "--bootstrap of several --hypothesis compares them: it needs --baseline");
  refuse_if(options.sentence_level && several, "--sentence-level takes one --hypothesis");
  refuse_if(options.sentence_level && tested, "--sentence-level has no --bootstrap");
  refuse_if(options.sentence_level && options.metrics.names.size() > 1,
            "--sentence-level takes one --metric");
  refuse_if(reports_lines(options) && (several || options.sentence_level),
            "--lines and --html take one --hypothesis and no --sentence-level");
  require_folder_of(options.html, "--html");
  if (options.hypotheses.empty() && std::filesystem::exists(options.source) &&
      !std::filesystem::is_regular_file(options.source)) {
    throw UserError("--source " + options.source +
                    ": is no regular file, must be one to be translated: it is read twice");
  }
}

/// Of lines, BLEU leaves out the orders that they are too short for.
MetricOptions options_for_lines(MetricOptions options) {
  options.bleu.smoothing.effective_order = true;
  return options;
}

std::string score_sentences(const EvalTexts& texts, const EvalOptions& options) {
  const Metrics metrics = make_metrics(options_for_lines(options.metrics));
  const Metric& metric = *metrics.front();
  const CorpusStatistics statistics(metric, texts.systems.front(), texts.references,
                                    threads(options));
  ScoreReport report{.name = metric.name(),
                     .signature = signature_of(metric, {.references = texts.references.size()})};
  std::string text;
  for (size_t i = 0; i < statistics.lines() && !stop_requested(); ++i) {
    report.score = metric.score(statistics[i]);
    report.details = metric.details(statistics[i]);
    text += is_json(options) ? to_json_line(report, options.width)
                             : to_text(report, decimals(options)) + "\n";
  }
  return text;
}

std::string score_systems(const Metrics& metrics, const EvalTexts& texts,
                          const EvalOptions& options) {
  constexpr size_t kResamples = 1000;  // sacreBLEU's
  TestOptions test{.seed = options.seed, .threads = threads(options)};
  if (options.randomization) {
    test.test = PairedTest::kRandomization;
    test.samples = *options.randomization;
  } else if (is_paired(options)) {
    test.test = PairedTest::kBootstrap;
    test.samples = options.bootstrap.value_or(kResamples);
  }
  const Comparison comparison = compare(metrics, texts.systems, texts.references, test);
  if (stop_requested()) return "";
  return is_json(options) ? to_json(comparison, decimals(options))
                          : to_text(comparison, decimals(options));
}

/// The scores of one system, and what they come from.
struct Scored {
  std::vector<ScoreReport> reports;
  std::vector<std::unique_ptr<const CorpusStatistics>> statistics;
};

void add_score(const Metric& metric, const EvalTexts& texts, const EvalOptions& options,
               Scored& scored) {
  const TextLines& hypothesis = texts.systems.front();
  const auto& statistics = *scored.statistics.emplace_back(
      std::make_unique<CorpusStatistics>(metric, hypothesis, texts.references, threads(options)));
  const auto sums = statistics.sums();
  const ScoringRun run{.references = texts.references.size(),
                       .bootstrap = options.bootstrap,
                       .randomization = {},
                       .seed = options.seed};
  auto& report = scored.reports.emplace_back(ScoreReport{
      metric.name(), signature_of(metric, run), metric.score(sums), {}, metric.details(sums)});
  if (options.bootstrap) {
    report.confidence = confidence_of_one(
        bootstrap(metric, statistics, *options.bootstrap, options.seed, threads(options)));
  }
  const std::string pitfall = metric.pitfall(sums);
  if (!pitfall.empty()) spdlog::warn("{}: {}", hypothesis.name(), pitfall);
}

std::string score_one(const Metrics& metrics, const EvalTexts& texts, const EvalOptions& options) {
  Scored scored;
  for (const auto& metric : metrics) {
    add_score(*metric, texts, options, scored);
    if (stop_requested()) return "";
  }
  if (!reports_lines(options)) {
    return is_json(options) ? to_json(scored.reports, options.width)
                            : to_text(scored.reports, decimals(options));
  }
  const LineReport lines = report_lines(make_metrics(options_for_lines(options.metrics)),
                                        scored.statistics, texts.source ? &*texts.source : nullptr,
                                        texts.systems.front(), texts.references);
  if (!options.html.empty()) {
    write_file_atomically(options.html, to_page(lines, decimals(options)));
  }
  if (is_json(options)) return to_json(scored.reports, options.width, {&lines, options.lines});
  std::string text = to_text(scored.reports, decimals(options));
  if (options.lines > 0) text += to_text(lines, options.lines, decimals(options));
  return text;
}

}  // namespace

int run_eval(const EvalOptions& options) {
  check_options(options);
  const Metrics metrics = make_metrics(options.metrics);
  EvalTexts texts = read_texts(options);
  if (stop_requested()) return 128 + stop_signal();
  if (texts.systems.empty()) texts.systems.push_back(translate_source(options));
  if (stop_requested()) return 128 + stop_signal();

  warn_of_pitfalls(texts, options);
  const std::string result = options.sentence_level     ? score_sentences(texts, options)
                             : texts.systems.size() > 1 ? score_systems(metrics, texts, options)
                                                        : score_one(metrics, texts, options);
  if (stop_requested()) return 128 + stop_signal();
  LineWriter().write(result);
  return 0;
}

}  // namespace xformer
