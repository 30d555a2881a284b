// Corpus scores of metrics from lines that a test writes down.
#pragma once

#include <string>
#include <vector>

#include "scoring/corpus_statistics.h"

namespace xformer {

inline CorpusStatistics statistics_of(const Metric& metric, std::vector<std::string> hypotheses,
                                      const std::vector<std::vector<std::string>>& references) {
  const TextLines hypothesis("hypothesis", std::move(hypotheses));
  std::vector<TextLines> texts;
  for (const auto& lines : references) texts.emplace_back("reference", lines);
  return {metric, hypothesis, texts, /*threads=*/2};
}

inline double corpus_score(const Metric& metric, const std::vector<std::string>& hypotheses,
                           const std::vector<std::vector<std::string>>& references) {
  return metric.score(statistics_of(metric, hypotheses, references).sums());
}

}  // namespace xformer
