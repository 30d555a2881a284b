// The batches of a training corpus, epoch by epoch.
#pragma once

#include "text/length_batches.h"
#include "text/parallel_corpus.h"

namespace xformer {

/// Makes the batches of an epoch when they are first asked for, and keeps those of one epoch. The
/// corpus outlives it.
class EpochBatches {
 public:
  EpochBatches(const ParallelCorpus& corpus, int64_t batch_tokens, int64_t seed);

  /// Valid until another epoch is asked for.
  const IndexBatches& of(int64_t epoch);
  const std::vector<PairLength>& lengths() const { return lengths_; }
  const ParallelCorpus& corpus() const { return corpus_; }

 private:
  const ParallelCorpus& corpus_;
  int64_t batch_tokens_;
  uint64_t seed_;
  std::vector<PairLength> lengths_;
  int64_t epoch_ = -1;
  IndexBatches batches_;
};

}  // namespace xformer
