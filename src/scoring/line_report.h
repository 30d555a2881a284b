// The lines of a scored text one by one: which are the worst, which are no translations at all.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "scoring/corpus_statistics.h"
#include "scoring/metrics.h"
#include "scoring/text_lines.h"

namespace xformer {

/// The texts must outlive it.
struct LineReport {
  const TextLines* source = nullptr;  ///< may be absent
  const TextLines* hypotheses = nullptr;
  const std::vector<TextLines>* references = nullptr;

  std::vector<std::string> metrics;
  std::vector<std::vector<double>> scores;  ///< [metric][line], BLEU of effective order
  /// Characters of the hypothesis for each of the first reference, white space left out; not a
  /// number where the reference is empty.
  std::vector<double> length_ratios;
  std::vector<bool> is_empty, is_copy;  ///< hypotheses without text; equal to their source
  size_t empty = 0, copies = 0;
  double length_ratio = 0;         ///< of the whole text
  std::vector<size_t> from_worst;  ///< lines by the first metric, equal ones in their order
};

/// `statistics` are those of the metrics, which are made for scores of lines.
LineReport report_lines(const Metrics& metrics,
                        const std::vector<std::unique_ptr<const CorpusStatistics>>& statistics,
                        const TextLines* source, const TextLines& hypotheses,
                        const std::vector<TextLines>& references);

/// Counts, then the `count` worst and the `count` best lines.
std::string to_text(const LineReport& report, size_t count, int decimals);

}  // namespace xformer
