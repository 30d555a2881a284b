#include "text/parallel_corpus.h"

#include <algorithm>
#include <utility>

namespace xformer {

void PairTable::add(std::span<const int32_t> source, std::span<const int32_t> target) {
  for (const auto side : {source, target}) {
    ids_.insert(ids_.end(), side.begin(), side.end());
    offsets_.push_back(ids_.size());
  }
}

ParallelCorpus::ParallelCorpus(PairTable pairs) {
  auto table = std::make_shared<const PairTable>(std::move(pairs));
  const PairRows rows = table->rows();
  size_ = rows.pairs();
  counts_ = {.read = size_, .kept = size_};
  texts_.push_back({rows, std::move(table), nullptr, {.first = 0, .size = size_}});
}

ParallelCorpus::ParallelCorpus(PairRows rows, std::shared_ptr<const MappedFile> file,
                               const CorpusCounts& counts)
    : size_(rows.pairs()), counts_(counts) {
  texts_.push_back({rows, nullptr, std::move(file), {.first = 0, .size = size_}});
}

void ParallelCorpus::append(const ParallelCorpus& other, double weight) {
  for (Text text : other.texts_) {
    text.pairs.first += size_;
    text.pairs.weight *= weight;
    texts_.push_back(std::move(text));
  }
  size_ += other.size_;
  counts_.read += other.counts_.read;
  counts_.kept += other.counts_.kept;
  counts_.dropped_empty += other.counts_.dropped_empty;
  counts_.dropped_too_long += other.counts_.dropped_too_long;
}

std::vector<WeightedPairs> ParallelCorpus::texts() const {
  std::vector<WeightedPairs> texts;
  for (const Text& text : texts_) texts.push_back(text.pairs);
  return texts;
}

void ParallelCorpus::release() const {
  for (const Text& text : texts_) {
    if (text.file) text.file->release();
  }
}

std::span<const int32_t> ParallelCorpus::row(int64_t i, int64_t side) const {
  const auto is_behind = [](int64_t pair, const Text& text) { return pair < text.pairs.first; };
  const Text& text = *std::prev(std::upper_bound(texts_.begin(), texts_.end(), i, is_behind));
  return text.rows.row(2 * (i - text.pairs.first) + side);
}

std::vector<PairLength> pair_lengths(const ParallelCorpus& corpus) {
  std::vector<PairLength> lengths;
  lengths.reserve(static_cast<size_t>(corpus.size()));
  for (int64_t i = 0; i < corpus.size(); ++i) {
    lengths.push_back({static_cast<int32_t>(corpus.source(i).size()) + 1,
                       static_cast<int32_t>(corpus.target(i).size()) + 1});
  }
  corpus.release();
  return lengths;
}

}  // namespace xformer
