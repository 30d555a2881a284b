#include "text/length_batches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "runtime/error.h"
#include "text/split_mix.h"

namespace xformer {
namespace {

/// What a pair of these lengths adds to each position that its batch is padded to.
int32_t longer_side(const PairLength& pair) {
  return std::max(pair.source, pair.target);
}

/// Fisher-Yates.
void shuffle(std::vector<PairIndex>& items, SplitMix64& random) {
  for (size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.below(left)]);
  }
}

std::vector<PairIndex> first_indices(size_t count) {
  std::vector<PairIndex> indices(count);
  std::iota(indices.begin(), indices.end(), PairIndex{0});
  return indices;
}

/// Sorts by counting: lengths are small numbers, and pairs may be a hundred million. What has the
/// same key keeps its order.
template <class Key>
std::vector<PairIndex> sorted_by(const std::vector<PairIndex>& order, Key key) {
  std::vector<size_t> places;  // of the next item with each key
  for (const PairIndex i : order) {
    const auto k = static_cast<size_t>(key(i)) + 1;
    if (k >= places.size()) places.resize(k + 1);
    ++places[k];
  }
  std::partial_sum(places.begin(), places.end(), places.begin());
  std::vector<PairIndex> sorted(order.size());
  for (const PairIndex i : order) sorted[places[static_cast<size_t>(key(i))]++] = i;
  return sorted;
}

std::vector<PairIndex> sorted_by_length(const std::vector<PairIndex>& order,
                                        const std::vector<PairLength>& lengths) {
  return sorted_by(order, [&](PairIndex i) { return longer_side(lengths[i]); });
}

/// `order` goes from short to long, so that the next pair is the longest of its batch.
IndexBatches cut_by_budget(std::vector<PairIndex> order, const std::vector<PairLength>& lengths,
                           int64_t batch_tokens) {
  std::vector<size_t> starts;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto pairs = starts.empty() ? 0 : static_cast<int64_t>(i - starts.back());
    const bool fits =
        !starts.empty() && (pairs + 1) * longer_side(lengths[order[i]]) <= batch_tokens;
    if (!fits) starts.push_back(i);
  }
  starts.push_back(order.size());
  return {std::move(order), std::move(starts)};
}

/// Appends positions begin ... end - 1 of a text's endless sequence, which goes through the same
/// permutation of its pairs again and again.
void append_positions(const WeightedPairs& text, int64_t begin, int64_t end, SplitMix64 random,
                      std::vector<PairIndex>& pairs) {
  std::vector<PairIndex> permutation;
  for (int64_t part_end; begin < end; begin = part_end) {
    const int64_t round = begin / text.size * text.size;
    part_end = std::min(end, round + text.size);
    const bool whole = part_end - begin == text.size;  // the batches are shuffled anyhow
    if (!whole && permutation.empty()) {
      permutation = first_indices(static_cast<size_t>(text.size));
      shuffle(permutation, random);
    }
    for (int64_t at = begin - round; at < part_end - round; ++at) {
      pairs.push_back(static_cast<PairIndex>(text.first + (whole ? at : permutation[at])));
    }
  }
}

}  // namespace

std::vector<PairIndex> epoch_pairs(const std::vector<WeightedPairs>& texts, uint64_t seed,
                                   int64_t epoch) {
  std::vector<PairIndex> pairs;
  SplitMix64 random(seed);
  for (const WeightedPairs& text : texts) {
    if (text.first + text.size > std::numeric_limits<PairIndex>::max()) {
      throw UserError("data.train has more than 4,294,967,295 pairs");
    }
    const auto until = [&](int64_t epochs) {
      return static_cast<int64_t>(
          std::floor(static_cast<double>(epochs) * text.weight * static_cast<double>(text.size)));
    };
    append_positions(text, until(epoch), until(epoch + 1), SplitMix64(random.next()), pairs);
  }
  return pairs;
}

IndexBatches::IndexBatches(std::vector<PairIndex> order, std::vector<size_t> starts)
    : order_(std::move(order)),
      starts_(std::move(starts)),
      sequence_(first_indices(starts_.size() - 1)) {}

std::span<const PairIndex> IndexBatches::operator[](int64_t b) const {
  const size_t batch = sequence_[static_cast<size_t>(b)];
  return std::span(order_).subspan(starts_[batch], starts_[batch + 1] - starts_[batch]);
}

int64_t IndexBatches::target_pieces(int64_t b, const std::vector<PairLength>& lengths) const {
  int64_t pieces = 0;
  for (const PairIndex i : (*this)[b]) pieces += lengths[i].target;
  return pieces;
}

IndexBatches make_length_batches(std::vector<PairIndex> pairs,
                                 const std::vector<PairLength>& lengths, int64_t batch_tokens,
                                 uint64_t seed, int64_t epoch) {
  SplitMix64 random(SplitMix64(seed).next() + static_cast<uint64_t>(epoch));
  shuffle(pairs, random);
  IndexBatches batches = cut_by_budget(sorted_by_length(pairs, lengths), lengths, batch_tokens);
  shuffle(batches.sequence_, random);
  return batches;
}

IndexBatches make_sorted_batches(const std::vector<PairLength>& lengths, int64_t batch_tokens) {
  return cut_by_budget(sorted_by_length(first_indices(lengths.size()), lengths), lengths,
                       batch_tokens);
}

double padding_share(const std::vector<PairLength>& lengths, const IndexBatches& batches) {
  int64_t pieces = 0, positions = 0;
  for (int64_t b = 0; b < batches.size(); ++b) {
    int32_t longest = 0;
    for (const PairIndex i : batches[b]) longest = std::max(longest, lengths[i].target);
    pieces += batches.target_pieces(b, lengths);
    positions += static_cast<int64_t>(batches[b].size()) * longest;
  }
  return positions == 0 ? 0.0 : 1.0 - static_cast<double>(pieces) / static_cast<double>(positions);
}

}  // namespace xformer
