// The statistics of every line of a corpus, for its score, for scores of its lines and for
// resampling.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "scoring/metric.h"
#include "scoring/text_lines.h"

namespace xformer {

/// One row for each line, as wide as the metric has statistics.
class CorpusStatistics {
 public:
  /// hypotheses[i] against references[r][i], on `threads` threads. There are as many lines in each.
  /// After a stop signal the rows are not complete.
  CorpusStatistics(const Metric& metric, const TextLines& hypotheses,
                   const std::vector<TextLines>& references, size_t threads);

  size_t lines() const { return lines_; }
  size_t width() const { return width_; }
  std::span<const double> operator[](size_t line) const {
    return {&values_[line * width_], width_};
  }
  /// Over all lines, added in their order.
  std::vector<double> sums() const;

 private:
  size_t lines_, width_;
  std::unique_ptr<double[]> values_;
};

}  // namespace xformer
