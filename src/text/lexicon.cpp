#include "text/lexicon.h"

#include <algorithm>
#include <utility>

namespace xformer {

void Lexicon::add(std::vector<int32_t> source, std::vector<int32_t> target) {
  pairs_.push_back({std::move(source), std::move(target)});
}

void Lexicon::learn(int iterations) {
  std::vector<Entry*> row;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (const auto& [source, target] : pairs_) {
      for (const int32_t t : target) {
        row.clear();
        float sum = 0;
        for (const int32_t s : source) {
          row.push_back(&entries_[key(s, t)]);
          sum += row.back()->probability;
        }
        for (Entry* entry : row) entry->count += entry->probability / sum;
      }
    }
    std::unordered_map<int32_t, float> totals;
    for (const auto& [pair, entry] : entries_)
      totals[static_cast<int32_t>(pair >> 32)] += entry.count;
    for (auto& [pair, entry] : entries_) {
      entry.probability = entry.count / totals[static_cast<int32_t>(pair >> 32)];
      entry.count = 0;
    }
  }
}

std::vector<std::vector<int32_t>> Lexicon::best(int64_t source_pieces, int64_t most) const {
  using Choice = std::pair<float, int32_t>;
  std::vector<std::vector<Choice>> choices(static_cast<size_t>(source_pieces));
  for (const auto& [pair, entry] : entries_) {
    choices[pair >> 32].emplace_back(-entry.probability, static_cast<int32_t>(pair & 0xFFFFFFFF));
  }
  std::vector<std::vector<int32_t>> result(choices.size());
  for (size_t source = 0; source < choices.size(); ++source) {
    auto& all = choices[source];
    const auto count = std::min<size_t>(all.size(), static_cast<size_t>(most));
    std::ranges::partial_sort(all, all.begin() + static_cast<int64_t>(count));
    for (size_t i = 0; i < count; ++i) result[source].push_back(all[i].second);
  }
  return result;
}

}  // namespace xformer
