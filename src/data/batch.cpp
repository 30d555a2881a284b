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

Batch make_batch(const ParallelCorpus& corpus, std::span<const PairIndex> pairs,
                 torch::Device device) {
  std::vector<Row> sources, targets;
  Batch batch;
  for (const PairIndex i : pairs) {
    sources.push_back(corpus.source(i));
    targets.push_back(corpus.target(i));
    batch.ntokens += static_cast<int64_t>(targets.back().size()) + 1;
  }
  batch.sentences = static_cast<int64_t>(pairs.size());
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

}  // namespace xformer
