#include "scoring/corpus_statistics.h"

#include <string_view>

#include "scoring/line_blocks.h"

namespace xformer {
namespace {

constexpr size_t kBlockLines = 512;

}  // namespace

CorpusStatistics::CorpusStatistics(const Metric& metric, const TextLines& hypotheses,
                                   const std::vector<TextLines>& references, size_t threads)
    : lines_(hypotheses.size()),
      width_(metric.width()),
      values_(std::make_unique_for_overwrite<double[]>(lines_ * width_)) {
  for_each_block(lines_, kBlockLines, threads, [&]() -> BlockWorker {
    const std::shared_ptr<LineCounter> counter = metric.make_counter();
    return [&, counter](size_t begin, size_t end) {
      std::vector<std::string_view> line_references(references.size());
      for (size_t i = begin; i < end; ++i) {
        for (size_t r = 0; r < references.size(); ++r) line_references[r] = references[r][i];
        counter->count(hypotheses[i], line_references, {&values_[i * width_], width_});
      }
    };
  });
}

std::vector<double> CorpusStatistics::sums() const {
  std::vector<double> sums(width_);
  for (size_t i = 0; i < lines_; ++i) {
    for (size_t k = 0; k < width_; ++k) sums[k] += values_[i * width_ + k];
  }
  return sums;
}

}  // namespace xformer
