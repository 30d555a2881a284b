// A batch without padding: the rows of all sentences one after another.
#pragma once

#include <memory>
#include <vector>

#include "config/config.h"
#include "kernels/attention.h"
#include "libtorch.h"
#include "text/length_batches.h"
#include "text/parallel_corpus.h"

namespace xformer {

/// Who attends to whom among packed rows.
struct PackedAttentionMap {
  std::vector<AttentionSpan> spans;  ///< one a sentence
  bool causal = false;
  int64_t weights_size = 0;   ///< floats of all heads' weights of all sentences
  int64_t weights_first = 0;  ///< floats of all those of the sentences before these
};

/// Sentences of a batch: a share that a thread works on.
struct BatchShare {
  int64_t begin, end;
};

/// Ids of S source and T target rows, and how they belong together. Made for a CPU.
struct PackedBatch {
  torch::Tensor src, src_position;  ///< (S) int64; eos at each end
  torch::Tensor tgt, tgt_position;  ///< (T) int64, what the decoder reads
  torch::Tensor tgt_y;              ///< (T) int64, what it is to predict
  int64_t src_first, tgt_first;     ///< rows of the sentences before these, in the whole batch
  std::shared_ptr<const PackedAttentionMap> src_to_src, tgt_to_tgt, tgt_to_src;
};

/// Cuts a batch into `count` shares of about the same work, some of them empty when it is small.
std::vector<BatchShare> shares_of(const ParallelCorpus& corpus, const IndexBatch& indices,
                                  int64_t count);

/// A share of the pairs of `corpus` with the given indices, for the model and tokens of `config`.
PackedBatch make_packed_batch(const ParallelCorpus& corpus, const IndexBatch& indices,
                              BatchShare share, const Config& config);

}  // namespace xformer
