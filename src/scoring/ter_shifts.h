// How many edits TER counts, where a block of words that moves is one edit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scoring/edit_distance.h"

namespace xformer {

/// Counts pair after pair, in memory that serves all of them.
class TerEdits {
 public:
  /// Edits that make `hypothesis` into `reference`: shifts are tried greedily, the one that saves
  /// most first, under Tercom's limits as sacreBLEU has them (10 words, 50 places, 1,000 tries).
  int64_t count(std::span<const int32_t> hypothesis, std::span<const int32_t> reference);

 private:
  struct Shift {
    size_t start = 0, length = 0;  ///< the words that move
    size_t target = 0;             ///< the place in front of which they go
    int64_t gain = 0;              ///< edits saved

    bool better_than(const Shift& other) const;
  };

  bool find_best_shift(int64_t distance, Shift& best);
  void align();
  void try_targets(size_t start, size_t reference_start, size_t length, int64_t distance,
                   Shift& best, bool& found);
  void shift(const Shift& shift);

  EditDistance distance_;
  std::vector<int32_t> words_, reference_, shifted_;
  std::vector<int64_t> aligned_;  ///< by word of the reference: the word of words_, from -1 on
  std::vector<uint8_t> word_is_wrong_, reference_is_wrong_;
  int64_t tries_ = 0;
};

}  // namespace xformer
