#include "data/packed_batch.h"

namespace xformer {
namespace {

/// Rows of one side: ids one sentence after another, and where each of them begins.
struct Side {
  void add(std::span<const int32_t> ids) {
    for (const int32_t id : ids) add(id);
  }
  void add(int64_t id) {
    ids.push_back(id);
    position.push_back(static_cast<int64_t>(ids.size()) - 1 - begin.back());
  }
  void end_sentence() { begin.push_back(static_cast<int64_t>(ids.size())); }

  std::vector<int64_t> ids, position, begin{0};
};

std::shared_ptr<const PackedAttentionMap> attention_map(const std::vector<int64_t>& queries,
                                                        const std::vector<int64_t>& keys,
                                                        bool causal, int64_t heads) {
  auto map = std::make_shared<PackedAttentionMap>();
  map->causal = causal;
  for (size_t i = 0; i + 1 < queries.size(); ++i) {
    map->spans.push_back({.query_begin = queries[i],
                          .queries = queries[i + 1] - queries[i],
                          .key_begin = keys[i],
                          .keys = keys[i + 1] - keys[i],
                          .weights_begin = map->weights_size});
    const auto& span = map->spans.back();
    map->weights_size += heads * attention_weights_size(span.queries, span.keys);
  }
  return map;
}

}  // namespace

PackedBatch make_packed_batch(const ParallelCorpus& corpus, const IndexBatch& indices,
                              const Config& config) {
  const auto& tokens = config.tokens;
  const int64_t heads = config.model.h, decoder_heads = config.model.of_decoder().h;
  Side source, target;
  std::vector<int64_t> predicted;
  for (const int64_t i : indices) {
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
          .src_to_src = attention_map(source.begin, source.begin, false, heads),
          .tgt_to_tgt = attention_map(target.begin, target.begin, true, decoder_heads),
          .tgt_to_src = attention_map(target.begin, source.begin, false, decoder_heads)};
}

}  // namespace xformer
