#include "text/length_batches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "text/split_mix.h"

namespace xformer {
namespace {

/// What a pair of these lengths adds to each position that its batch is padded to.
int32_t longer_side(const PairLength& pair) {
  return std::max(pair.source, pair.target);
}

/// Fisher-Yates.
template <typename T>
void shuffle(std::vector<T>& items, SplitMix64& random) {
  for (size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.below(left)]);
  }
}

std::vector<int64_t> all_indices(const std::vector<PairLength>& lengths) {
  std::vector<int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  return order;
}

/// Pairs of equal lengths keep their order.
void sort_by_length(std::vector<int64_t>& order, const std::vector<PairLength>& lengths) {
  const auto key = [&](int64_t i) { return std::pair(longer_side(lengths[i]), lengths[i].target); };
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return key(a) < key(b); });
}

/// `order` goes from short to long, so that the next pair is the longest of its batch.
std::vector<IndexBatch> cut_by_budget(const std::vector<int64_t>& order,
                                      const std::vector<PairLength>& lengths,
                                      int64_t batch_tokens) {
  std::vector<IndexBatch> batches;
  for (const int64_t i : order) {
    const bool fits =
        !batches.empty() &&
        (static_cast<int64_t>(batches.back().size()) + 1) * longer_side(lengths[i]) <= batch_tokens;
    if (!fits) batches.emplace_back();
    batches.back().push_back(i);
  }
  return batches;
}

}  // namespace

std::vector<IndexBatch> make_length_batches(const std::vector<PairLength>& lengths,
                                            int64_t batch_tokens, uint64_t seed, int64_t epoch) {
  SplitMix64 random(SplitMix64(seed).next() + static_cast<uint64_t>(epoch));
  std::vector<int64_t> order = all_indices(lengths);
  shuffle(order, random);
  sort_by_length(order, lengths);
  std::vector<IndexBatch> batches = cut_by_budget(order, lengths, batch_tokens);
  shuffle(batches, random);
  return batches;
}

std::vector<IndexBatch> make_sorted_batches(const std::vector<PairLength>& lengths,
                                            int64_t batch_tokens) {
  std::vector<int64_t> order = all_indices(lengths);
  sort_by_length(order, lengths);
  return cut_by_budget(order, lengths, batch_tokens);
}

double padding_share(const std::vector<PairLength>& lengths,
                     const std::vector<IndexBatch>& batches) {
  int64_t pieces = 0, positions = 0;
  for (const IndexBatch& batch : batches) {
    int32_t longest = 0;
    for (const int64_t i : batch) {
      pieces += lengths[i].target;
      longest = std::max(longest, lengths[i].target);
    }
    positions += static_cast<int64_t>(batch.size()) * longest;
  }
  return positions == 0 ? 0.0 : 1.0 - static_cast<double>(pieces) / static_cast<double>(positions);
}

}  // namespace xformer
