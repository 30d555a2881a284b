// The edit distance that TER rests on: insertions, deletions and substitutions of words, near the
// diagonal only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace xformer {

enum class Edit : uint8_t { kKeepOrSubstitute, kDelete, kInsert };

/// Distances from sequences that are permutations of one hypothesis to one reference, as sacreBLEU
/// searches them: at most 25 words off the diagonal (more where the lengths differ very much).
class EditDistance {
 public:
  /// Starts a pair.
  void start(std::span<const int32_t> hypothesis, std::span<const int32_t> reference);

  /// Makes `hypothesis` the one that others are compared with, and returns its distance.
  int64_t set_base(std::span<const int32_t> hypothesis);
  /// The distance of `hypothesis`. Quick where it begins as the base does: the work of those words
  /// is done.
  int64_t distance(std::span<const int32_t> hypothesis);

  /// How the base becomes the reference, from the first word on; of equal ways the one whose last
  /// edits are kept words or substitutions, then deletions, then insertions.
  const std::vector<Edit>& trace_base();

 private:
  /// A cost and the edit that led to it in one number, so that the smaller one is the cheaper, and
  /// among equally cheap ones the preferred.
  using Cell = int32_t;
  struct Window {
    int64_t first, last;  ///< columns [first, last) of a row that are computed
  };

  Cell* row(std::vector<Cell>& matrix, size_t index) { return &matrix[index * columns_]; }
  void compute_row(size_t index, int32_t word, const Cell* above, Cell* cells) const;

  std::vector<int32_t> reference_, base_;
  size_t columns_ = 0;
  std::vector<Window> windows_;  ///< of rows 1 to the length of the hypothesis
  std::vector<Cell> base_matrix_,
      matrix_;  ///< a row for each word of the hypothesis, and one before
  std::vector<Edit> trace_;
};

}  // namespace xformer
