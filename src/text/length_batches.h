// Batches of similar lengths under a token budget: arithmetic on lengths, no text and no tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xformer {

/// Piece counts of one pair as the model sees them, bos or eos included.
struct PairLength {
  int32_t source = 0, target = 0;
};

/// Names one pair of a corpus. Four bytes, since an epoch holds one for each pair.
using PairIndex = uint32_t;

/// Pairs that share a batch.
using IndexBatch = std::vector<PairIndex>;

/// The pairs first ... first + size - 1, of which an epoch sees `weight` times as many.
struct WeightedPairs {
  int64_t first = 0, size = 0;
  double weight = 1;
};

/// The pairs of one epoch, a function of (texts, seed, epoch): weight 2 gives each pair of a text
/// twice, weight 0.5 gives one half of them in one epoch and the other half in the next.
/// Throws UserError for more pairs than PairIndex can name.
std::vector<PairIndex> epoch_pairs(const std::vector<WeightedPairs>& texts, uint64_t seed,
                                   int64_t epoch);

/// Batches of pair indices, each to be padded to the longest of its pairs.
class IndexBatches {
 public:
  IndexBatches() = default;
  /// Batch b is order[starts[b], starts[b + 1]).
  IndexBatches(std::vector<PairIndex> order, std::vector<size_t> starts);

  int64_t size() const { return static_cast<int64_t>(sequence_.size()); }
  bool empty() const { return sequence_.empty(); }
  std::span<const PairIndex> operator[](int64_t b) const;
  /// Target pieces in batch b, padding apart.
  int64_t target_pieces(int64_t b, const std::vector<PairLength>& lengths) const;

 private:
  friend IndexBatches make_length_batches(std::vector<PairIndex>, const std::vector<PairLength>&,
                                          int64_t, uint64_t, int64_t);
  std::vector<PairIndex> order_;
  std::vector<size_t> starts_;       ///< one more than there are batches
  std::vector<PairIndex> sequence_;  ///< in which the batches come
};

/// Splits `pairs` into batches whose longest side times their number stays within `batch_tokens`;
/// a pair longer than that is a batch of its own. Which pairs share a batch, and the order of
/// batches, depend on (pairs, seed, epoch) alone, on every platform. Pairs are sorted by their
/// longer side (which the budget counts), ties at random: were all targets of a batch of the same
/// length, each update would teach one place for the end of a sentence.
IndexBatches make_length_batches(std::vector<PairIndex> pairs,
                                 const std::vector<PairLength>& lengths, int64_t batch_tokens,
                                 uint64_t seed, int64_t epoch);

/// The same batches of all pairs in order of length and without shuffling: for validation.
IndexBatches make_sorted_batches(const std::vector<PairLength>& lengths, int64_t batch_tokens);

/// Share of padding among all positions of the batches, target side.
double padding_share(const std::vector<PairLength>& lengths, const IndexBatches& batches);

}  // namespace xformer
