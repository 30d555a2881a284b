#include "data/batch.h"

#include <algorithm>

#include "model/masks.h"
#include "text/tokenizer.h"

namespace xformer {
namespace {

using Row = std::span<const int32_t>;

/// Writes `row` into one row of a padded table, with `first` in front or `last` behind when they
/// are ids.
constexpr int32_t kNone = -1;

torch::Tensor pad_rows(const std::vector<Row>& rows, int32_t first, int32_t last) {
  size_t longest = 0;
  for (Row row : rows) longest = std::max(longest, row.size());
  longest += (first != kNone) + (last != kNone);

  auto ids = torch::full({static_cast<int64_t>(rows.size()), static_cast<int64_t>(longest)}, kPad,
                         torch::kInt64);
  int64_t* out = ids.mutable_data_ptr<int64_t>();
  for (Row row : rows) {
    int64_t* place = out;
    if (first != kNone) *place++ = first;
    place = std::copy(row.begin(), row.end(), place);
    if (last != kNone) *place = last;
    out += longest;
  }
  return ids;
}

}  // namespace

Batch make_batch(const ParallelCorpus& corpus, const IndexBatch& indices, torch::Device device) {
  std::vector<Row> sources, targets;
  Batch batch;
  for (int64_t i : indices) {
    sources.push_back(corpus.source(i));
    targets.push_back(corpus.target(i));
    batch.ntokens += static_cast<int64_t>(targets.back().size()) + 1;
  }
  batch.sentences = static_cast<int64_t>(indices.size());
  batch.src = pad_rows(sources, kNone, kEos).to(device);
  batch.tgt = pad_rows(targets, kBos, kNone).to(device);
  batch.tgt_y = pad_rows(targets, kNone, kEos).to(device);
  batch.src_mask = source_mask(batch.src, kPad);
  batch.tgt_mask = target_mask(batch.tgt, kPad);
  return batch;
}

torch::Tensor pad_sources(const std::vector<std::vector<int32_t>>& sources, torch::Device device) {
  return pad_rows({sources.begin(), sources.end()}, kNone, kEos).to(device);
}

std::vector<PairLength> pair_lengths(const ParallelCorpus& corpus) {
  std::vector<PairLength> lengths;
  lengths.reserve(corpus.size());
  for (int64_t i = 0; i < corpus.size(); ++i) {
    lengths.push_back({static_cast<int32_t>(corpus.source(i).size()) + 1,
                       static_cast<int32_t>(corpus.target(i).size()) + 1});
  }
  return lengths;
}

}  // namespace xformer
