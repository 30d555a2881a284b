// Which n-grams of a hypothesis occur in its references, and how often.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scoring/dense_ids.h"

namespace xformer {

/// Counts n-grams of orders 1 to `max_order` exactly. An n-gram is a node of a trie: its parent is
/// the n-gram without the last token. References only walk the trie of the hypothesis, since
/// n-grams that it lacks cannot match.
class NgramMatcher {
 public:
  explicit NgramMatcher(int max_order) : max_order_(max_order) {}

  /// Starts a line. Tokens come by numbers from 1 on.
  void set_hypothesis(std::span<const int32_t> tokens);
  /// Adds one reference of the line, in the same numbers; 0 is a token that the hypothesis lacks.
  void add_reference(std::span<const int32_t> tokens);

  /// Matches of order 1 in [0], of order 2 in [1], and so on: each n-gram counts as often as it
  /// occurs in the hypothesis, at most as often as in the reference that has most of it (Papineni
  /// et al. 2002, 2.1).
  void add_matches(std::span<double> sums) const;

 private:
  struct Counts {
    int order = 0;
    int64_t hypothesis = 0, this_reference = 0, any_reference = 0;
  };

  int max_order_;
  DenseIds<uint64_t> ngrams_;   ///< of (parent, last token); the empty n-gram is number 0
  std::vector<Counts> counts_;  ///< by number of the n-gram
};

}  // namespace xformer
