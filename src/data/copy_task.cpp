#include "data/copy_task.h"

#include <random>

namespace xformer {

std::vector<std::string> copy_task_lines(const CopyTaskConfig& config, int64_t lines,
                                         uint64_t seed) {
  // The engine's numbers are fixed by the C++ standard, those of its distributions are not.
  std::mt19937_64 random(seed);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };

  std::vector<std::string> text;
  for (int64_t i = 0; i < lines; ++i) {
    std::string line;
    for (int64_t left = 1 + below(config.length); left > 0; --left) {
      if (!line.empty()) line += ' ';
      line += std::to_string(1 + below(config.symbols));
    }
    text.push_back(std::move(line));
  }
  return text;
}

}  // namespace xformer
