// Batches of similar lengths under a token budget: arithmetic on lengths, no text and no tensors.
#pragma once

#include <cstdint>
#include <vector>

namespace xformer {

/// Piece counts of one pair as the model sees them, bos or eos included.
struct PairLength {
  int32_t source = 0, target = 0;
};

/// Indices of pairs that are padded to the longest of them.
using IndexBatch = std::vector<int64_t>;

/// Splits all pairs into batches whose longest side times their number stays within `batch_tokens`;
/// a pair longer than that is a batch of its own. Which pairs share a batch, and the order of
/// batches, depend on (seed, epoch) alone, on every platform. Pairs are sorted by their longer side
/// (which the budget counts), then by the target, ties at random.
std::vector<IndexBatch> make_length_batches(const std::vector<PairLength>& lengths,
                                            int64_t batch_tokens, uint64_t seed, int64_t epoch);

/// The same batches in order of length and without shuffling: for validation.
std::vector<IndexBatch> make_sorted_batches(const std::vector<PairLength>& lengths,
                                            int64_t batch_tokens);

/// Share of padding among all positions of the batches, target side.
double padding_share(const std::vector<PairLength>& lengths,
                     const std::vector<IndexBatch>& batches);

}  // namespace xformer
