// Matching n-grams of two sequences, all orders at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace xformer {

/// Does what NgramMatcher does for one reference, faster: each stretch of `max_order` items becomes
/// one number, sorting brings equal n-grams of every order together, and one pass counts them.
class NgramSorter {
 public:
  /// Items are numbered from 1 to `items`, equal ones alike. Whether stretches of that many items
  /// fit into a number.
  static bool fits(int64_t items, int max_order);

  /// Adds the matches of order 1 to sums[0], of order 2 to sums[1], ..., of order sums.size() to
  /// the last: each n-gram counts as often as it occurs in both. Needs fits(items, sums.size()).
  void add_matches(std::span<const int32_t> hypothesis, std::span<const int32_t> reference,
                   int64_t items, std::span<double> sums);

 private:
  void add_stretches(std::span<const int32_t> sequence, uint64_t side);

  std::vector<uint64_t> stretches_;
  int bits_ = 0, order_ = 0;
};

}  // namespace xformer
