#include "scoring/edit_distance.h"

#include <algorithm>
#include <cmath>

namespace xformer {
namespace {

// The cost stands above the two bits of the edit.
constexpr int32_t kCost = 4;
constexpr int32_t kInfinity = 1 << 30;

constexpr int32_t cell_of(int32_t cost, Edit edit) {
  return kCost * cost + static_cast<int32_t>(edit);
}

/// The cost of `cell`, with `more` edits behind it, by way of `edit`.
constexpr int32_t extended(int32_t cell, int32_t more, Edit edit) {
  return (cell & ~(kCost - 1)) + cell_of(more, edit);
}

constexpr int64_t kBeamWidth = 25;

/// How far from the diagonal a row is computed. Wider where the lengths differ so much that a row
/// would not touch the one above it.
int64_t beam_width(double length_ratio) {
  if (kBeamWidth >= length_ratio / 2) return kBeamWidth;
  return static_cast<int64_t>(std::ceil(length_ratio / 2 + kBeamWidth));
}

}  // namespace

void EditDistance::start(std::span<const int32_t> hypothesis, std::span<const int32_t> reference) {
  reference_.assign(reference.begin(), reference.end());
  base_.clear();
  columns_ = reference.size() + 1;
  const auto columns = static_cast<int64_t>(columns_), rows = std::ssize(hypothesis);
  const double ratio =
      rows == 0 ? 1 : static_cast<double>(reference.size()) / static_cast<double>(rows);
  const int64_t width = beam_width(ratio);
  windows_.clear();
  for (int64_t i = 1; i <= rows; ++i) {
    const auto diagonal = static_cast<int64_t>(std::floor(static_cast<double>(i) * ratio));
    windows_.push_back({std::max<int64_t>(0, diagonal - width),
                        i == rows ? columns : std::min(columns, diagonal + width)});
  }
  for (auto* matrix : {&base_matrix_, &matrix_}) {
    matrix->assign(columns_ * (hypothesis.size() + 1), kInfinity);
    for (size_t j = 0; j < columns_; ++j) {
      (*matrix)[j] = cell_of(static_cast<int32_t>(j), Edit::kInsert);
    }
  }
}

void EditDistance::compute_row(size_t index, int32_t word, const Cell* above, Cell* cells) const {
  auto [j, last] = windows_[index - 1];
  if (j == 0 && last > 0) {
    cells[0] = extended(above[0], 1, Edit::kDelete);
    ++j;
  }
  for (; j < last; ++j) {
    const int32_t substitution = word == reference_[j - 1] ? 0 : 1;
    const Cell kept = extended(above[j - 1], substitution, Edit::kKeepOrSubstitute);
    const Cell deleted = extended(above[j], 1, Edit::kDelete);
    const Cell inserted = extended(cells[j - 1], 1, Edit::kInsert);
    cells[j] = std::min({kept, deleted, inserted});
  }
}

int64_t EditDistance::set_base(std::span<const int32_t> hypothesis) {
  const size_t known = static_cast<size_t>(
      std::mismatch(base_.begin(), base_.end(), hypothesis.begin(), hypothesis.end()).first -
      base_.begin());
  base_.assign(hypothesis.begin(), hypothesis.end());
  for (size_t i = known + 1; i <= hypothesis.size(); ++i) {
    compute_row(i, hypothesis[i - 1], row(base_matrix_, i - 1), row(base_matrix_, i));
  }
  return base_matrix_.back() / kCost;
}

int64_t EditDistance::distance(std::span<const int32_t> hypothesis) {
  const size_t known = static_cast<size_t>(
      std::mismatch(base_.begin(), base_.end(), hypothesis.begin(), hypothesis.end()).first -
      base_.begin());
  if (known == hypothesis.size()) return base_matrix_.back() / kCost;
  const Cell* above = row(base_matrix_, known);
  for (size_t i = known + 1; i <= hypothesis.size(); ++i) {
    compute_row(i, hypothesis[i - 1], above, row(matrix_, i));
    above = row(matrix_, i);
  }
  return matrix_.back() / kCost;
}

const std::vector<Edit>& EditDistance::trace_base() {
  trace_.clear();
  size_t i = base_.size(), j = reference_.size();
  while (i > 0 || j > 0) {
    const auto edit = static_cast<Edit>(base_matrix_[i * columns_ + j] & (kCost - 1));
    trace_.push_back(edit);
    if (edit != Edit::kInsert) --i;
    if (edit != Edit::kDelete) --j;
  }
  std::reverse(trace_.begin(), trace_.end());
  return trace_;
}

}  // namespace xformer
