// Keys and values of all past steps, each written once. Hypotheses share them: a row remembers
// which row of each step it came from, and reordering the beam permutes these paths alone.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/key_rows.h"

namespace xformer {

class PathCache {
 public:
  /// Of `layers` layers, `width` numbers a row and layer.
  PathCache(int64_t layers, int64_t width, const EngineTarget& target)
      : width_(width), target_(target), blocks_(layers) {}

  void start(int64_t rows);
  /// A new step for as many rows as there are: every path goes on with its own row.
  void begin_step();
  /// The newest step's block of a layer, to be written.
  KeyRows& newest(int64_t layer);
  /// Where the numbers of all steps of a row's path lie, oldest first.
  void follow(int64_t layer, int64_t row, std::vector<const void*>& steps) const;
  /// Makes row i's path that of row rows[i].
  void select(const std::vector<int64_t>& rows);

  int64_t rows() const { return std::ssize(paths_); }
  int64_t steps() const { return steps_; }

 private:
  int64_t width_, steps_ = 0;
  EngineTarget target_;
  std::vector<std::vector<KeyRows>> blocks_;  ///< [layer][step]
  std::vector<std::vector<int32_t>> paths_;   ///< [row][step]
};

}  // namespace xformer
