#include "engine/path_cache.h"

namespace xformer {

void PathCache::start(int64_t rows) {
  steps_ = 0;
  paths_.assign(static_cast<size_t>(rows), {});
}

void PathCache::begin_step() {
  for (int64_t row = 0; row < rows(); ++row) paths_[row].push_back(static_cast<int32_t>(row));
  ++steps_;
}

KeyRows& PathCache::newest(int64_t layer) {
  auto& blocks = blocks_[layer];
  while (std::ssize(blocks) < steps_) blocks.emplace_back(target_, width_);
  return blocks[steps_ - 1];
}

void PathCache::follow(int64_t layer, int64_t row, std::vector<const void*>& steps) const {
  steps.clear();
  const auto& path = paths_[row];
  for (int64_t step = 0; step < steps_; ++step) {
    steps.push_back(blocks_[layer][step].row(path[step]));
  }
}

void PathCache::select(const std::vector<int64_t>& rows) {
  std::vector<std::vector<int32_t>> selected;
  selected.reserve(rows.size());
  for (const int64_t row : rows) selected.push_back(paths_[row]);
  paths_ = std::move(selected);
}

}  // namespace xformer
