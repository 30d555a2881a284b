// A batch of sentence pairs as the model reads it.
#pragma once

#include "config/special_tokens.h"
#include "libtorch.h"
#include "text/parallel_corpus.h"

namespace xformer {

/// Padded ids and their masks. A target is read as start y1 ... yn and predicted as y1 ... yn eos.
struct Batch {
  torch::Tensor src;       ///< (B, S) int64, eos at each end
  torch::Tensor tgt;       ///< (B, T) what the decoder reads
  torch::Tensor tgt_y;     ///< (B, T) what it is to predict
  torch::Tensor src_mask;  ///< (B, 1, S) bool
  torch::Tensor tgt_mask;  ///< (B, T, T) bool
  int64_t ntokens = 0;     ///< target pieces to predict, padding apart
};

/// The given pairs of `corpus`.
Batch make_batch(const ParallelCorpus& corpus, std::span<const PairIndex> pairs,
                 const SpecialTokens& tokens, torch::Device device);

/// Sources alone, each with eos at its end, padded. -> (B, S) int64
torch::Tensor pad_sources(const std::vector<std::vector<int32_t>>& sources,
                          const SpecialTokens& tokens, torch::Device device);

}  // namespace xformer
