#include "text/epoch_batches.h"

namespace xformer {

EpochBatches::EpochBatches(const ParallelCorpus& corpus, int64_t batch_tokens, int64_t seed)
    : corpus_(corpus),
      batch_tokens_(batch_tokens),
      seed_(static_cast<uint64_t>(seed)),
      lengths_(pair_lengths(corpus)) {}

const IndexBatches& EpochBatches::of(int64_t epoch) {
  if (epoch != epoch_) {
    batches_ = {};  // two epochs' batches need not fit into memory
    batches_ = make_length_batches(epoch_pairs(corpus_.texts(), seed_, epoch), lengths_,
                                   batch_tokens_, seed_, epoch);
    epoch_ = epoch;
  }
  return batches_;
}

}  // namespace xformer
