#include "scoring/ngram_sorter.h"

#include <algorithm>
#include <array>
#include <bit>

namespace xformer {
namespace {

constexpr int kNumberBits = 64;
constexpr uint64_t kHypothesis = 0, kReference = 1;  // the lowest bit of a stretch
constexpr int kMostOrders = kNumberBits - 1;

/// Stretches that begin alike, by the order of what they share: [order - 1][side].
using RunCounts = std::array<std::array<int64_t, 2>, kMostOrders>;

int bits_of(int64_t items) {
  return std::bit_width(static_cast<uint64_t>(items));
}

}  // namespace

bool NgramSorter::fits(int64_t items, int max_order) {
  return max_order <= kMostOrders && bits_of(items) * max_order < kNumberBits;
}

/// One stretch begins at each item; behind the end of the sequence it is filled up with 0.
void NgramSorter::add_stretches(std::span<const int32_t> sequence, uint64_t side) {
  const int all_bits = bits_ * order_;
  const uint64_t mask = (uint64_t{1} << all_bits) - 1;
  uint64_t stretch = 0;
  for (size_t end = 0; end < sequence.size() + order_ - 1; ++end) {
    const uint64_t item = end < sequence.size() ? static_cast<uint64_t>(sequence[end]) : 0;
    stretch = (stretch << bits_ | item) & mask;
    if (end + 1 >= static_cast<size_t>(order_)) stretches_.push_back(stretch << 1 | side);
  }
}

void NgramSorter::add_matches(std::span<const int32_t> hypothesis,
                              std::span<const int32_t> reference, int64_t items,
                              std::span<double> sums) {
  order_ = static_cast<int>(sums.size());
  if (order_ == 0 || hypothesis.empty() || reference.empty()) return;
  bits_ = bits_of(items);
  stretches_.clear();
  add_stretches(hypothesis, kHypothesis);
  add_stretches(reference, kReference);
  std::sort(stretches_.begin(), stretches_.end());

  RunCounts runs{};
  const int all_bits = bits_ * order_;
  const uint64_t item_mask = (uint64_t{1} << bits_) - 1;
  for (size_t i = 0; i < stretches_.size(); ++i) {
    const uint64_t stretch = stretches_[i] >> 1;
    ++runs[order_ - 1][stretches_[i] & 1];
    // How many items the next stretch begins with in common with this one.
    int common = 0;
    if (i + 1 < stretches_.size()) {
      const uint64_t difference = stretch ^ (stretches_[i + 1] >> 1);
      common = difference == 0 ? order_ : (all_bits - std::bit_width(difference)) / bits_;
    }
    for (int order = order_; order > common; --order) {
      auto& [in_hypothesis, in_reference] = runs[order - 1];
      const bool whole = (stretch >> (bits_ * (order_ - order)) & item_mask) != 0;
      if (whole) sums[order - 1] += static_cast<double>(std::min(in_hypothesis, in_reference));
      if (order > 1) {
        runs[order - 2][kHypothesis] += in_hypothesis;
        runs[order - 2][kReference] += in_reference;
      }
      in_hypothesis = in_reference = 0;
    }
  }
}

}  // namespace xformer
