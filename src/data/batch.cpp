#include "data/batch.h"

#include <algorithm>
#include <optional>

#include "model/masks.h"

namespace xformer {
namespace {

using Row = std::span<const int32_t>;

/// What stands around a row, and fills it up.
struct RowEnds {
  std::optional<int32_t> first{}, last{};
  int32_t pad;
};

/// Writes each row into one row of a padded table.
torch::Tensor pad_rows(const std::vector<Row>& rows, const RowEnds& ends) {
  size_t longest = 0;
  for (Row row : rows) longest = std::max(longest, row.size());
  longest += ends.first.has_value() + ends.last.has_value();

  auto ids = torch::full({static_cast<int64_t>(rows.size()), static_cast<int64_t>(longest)},
                         ends.pad, torch::kInt64);
  int64_t* out = ids.mutable_data_ptr<int64_t>();
  for (Row row : rows) {
    int64_t* place = out;
    if (ends.first) *place++ = *ends.first;
    place = std::copy(row.begin(), row.end(), place);
    if (ends.last) *place = *ends.last;
    out += longest;
  }
  return ids;
}

}  // namespace

Batch make_batch(const ParallelCorpus& corpus, std::span<const PairIndex> pairs,
                 const SpecialTokens& tokens, torch::Device device) {
  std::vector<Row> sources, targets;
  Batch batch;
  for (const PairIndex i : pairs) {
    sources.push_back(corpus.source(i));
    targets.push_back(corpus.target(i));
    batch.ntokens += static_cast<int64_t>(targets.back().size()) + 1;
  }
  const int32_t pad = tokens.pad;
  batch.src = pad_rows(sources, {.last = tokens.eos, .pad = pad}).to(device);
  batch.tgt = pad_rows(targets, {.first = tokens.decoder_start, .pad = pad}).to(device);
  batch.tgt_y = pad_rows(targets, {.last = tokens.eos, .pad = pad}).to(device);
  batch.src_mask = source_mask(batch.src, pad);
  // As many pieces are predicted as are read, and of those read the first may be padding's.
  batch.tgt_mask = target_mask(batch.tgt_y, pad);
  return batch;
}

torch::Tensor pad_sources(const std::vector<std::vector<int32_t>>& sources,
                          const SpecialTokens& tokens, torch::Device device) {
  return pad_rows({sources.begin(), sources.end()}, {.last = tokens.eos, .pad = tokens.pad})
      .to(device);
}

}  // namespace xformer
