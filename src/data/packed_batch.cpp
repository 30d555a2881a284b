#include "data/packed_batch.h"

#include <algorithm>

namespace xformer {
namespace {

/// Rows of one side: ids one sentence after another, and their places in their sentence.
struct Side {
  void add(std::span<const int32_t> ids) {
    for (const int32_t id : ids) add(id);
  }
  void add(int64_t id) {
    ids.push_back(id);
    position.push_back(next_position++);
  }
  void end_sentence() { next_position = 0; }

  std::vector<int64_t> ids, position;
  int64_t next_position = 0;
};

/// Where sentences begin, seen from the first one of the batch.
struct Sides {
  const std::vector<int64_t>&queries, &keys;
};

/// The map of sentences share.begin ... share.end - 1.
std::shared_ptr<const PackedAttentionMap> attention_map(const Sides& sides, BatchShare share,
                                                        bool causal, int64_t heads) {
  auto map = std::make_shared<PackedAttentionMap>();
  map->causal = causal;
  const auto& [queries, keys] = sides;
  for (int64_t i = 0; i < share.end; ++i) {
    const int64_t query_rows = queries[i + 1] - queries[i], key_rows = keys[i + 1] - keys[i];
    const int64_t size = heads * attention_weights_size(query_rows, key_rows);
    if (i < share.begin) {
      map->weights_first += size;
      continue;
    }
    map->spans.push_back({.query_begin = queries[i] - queries[share.begin],
                          .queries = query_rows,
                          .key_begin = keys[i] - keys[share.begin],
                          .keys = key_rows,
                          .weights_begin = map->weights_size});
    map->weights_size += size;
  }
  return map;
}

/// Both sides have one row more than pieces, for bos or eos.
int64_t source_rows(const ParallelCorpus& corpus, int64_t pair) {
  return std::ssize(corpus.source(pair)) + 1;
}
int64_t target_rows(const ParallelCorpus& corpus, int64_t pair) {
  return std::ssize(corpus.target(pair)) + 1;
}

}  // namespace

std::vector<BatchShare> shares_of(const ParallelCorpus& corpus, const IndexBatch& indices,
                                  int64_t count) {
  // A target row passes through attention to the source and the generator as well.
  std::vector<int64_t> work{0};
  for (const int64_t i : indices) {
    work.push_back(work.back() + source_rows(corpus, i) + 2 * target_rows(corpus, i));
  }
  std::vector<BatchShare> shares;
  int64_t begin = 0;
  for (int64_t share = 1; share <= count; ++share) {
    const auto end = std::ranges::lower_bound(work, work.back() * share / count) - work.begin();
    shares.push_back({begin, std::max<int64_t>(begin, end)});
    begin = shares.back().end;
  }
  return shares;
}

PackedBatch make_packed_batch(const ParallelCorpus& corpus, const IndexBatch& indices,
                              BatchShare share, const Config& config) {
  const auto& tokens = config.tokens;
  const int64_t heads = config.model.h, decoder_heads = config.model.of_decoder().h;
  Side source, target;
  std::vector<int64_t> predicted, source_begin{0}, target_begin{0};
  for (int64_t k = 0; k < share.end; ++k) {
    const int64_t i = indices[k];
    source_begin.push_back(source_begin.back() + source_rows(corpus, i));
    target_begin.push_back(target_begin.back() + target_rows(corpus, i));
    if (k < share.begin) continue;
    source.add(corpus.source(i));
    source.add(tokens.eos);
    source.end_sentence();
    target.add(tokens.decoder_start);
    target.add(corpus.target(i));
    target.end_sentence();
    predicted.insert(predicted.end(), corpus.target(i).begin(), corpus.target(i).end());
    predicted.push_back(tokens.eos);
  }
  return {.src = torch::tensor(source.ids),
          .src_position = torch::tensor(source.position),
          .tgt = torch::tensor(target.ids),
          .tgt_position = torch::tensor(target.position),
          .tgt_y = torch::tensor(predicted),
          .src_first = source_begin[share.begin],
          .tgt_first = target_begin[share.begin],
          .src_to_src = attention_map({source_begin, source_begin}, share, false, heads),
          .tgt_to_tgt = attention_map({target_begin, target_begin}, share, true, decoder_heads),
          .tgt_to_src = attention_map({target_begin, source_begin}, share, false, decoder_heads)};
}

}  // namespace xformer
