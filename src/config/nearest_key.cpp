#include "config/nearest_key.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string_view>

namespace xformer {
namespace {

struct SplitKey {
  std::string_view section, word;
};

SplitKey split(std::string_view key) {
  const size_t dot = key.rfind('.');
  if (dot == std::string_view::npos) return {{}, key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

bool same_letter(unsigned char a, unsigned char b) {
  return std::tolower(a) == std::tolower(b);
}

/// Letters to insert, delete, change or swap with their neighbour, each at a cost of 2; the wrong
/// case of a letter costs 1.
int distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = static_cast<int>(2 * i);
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = static_cast<int>(2 * j);
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : same_letter(a[i - 1], b[j - 1]) ? 1 : 2;
      cost[i][j] = std::min({cost[i - 1][j] + 2, cost[i][j - 1] + 2, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 2);
    }
  }
  return cost[a.size()][b.size()];
}

/// "epochs" in "num_epochs": a whole word of the name.
bool is_word_of(std::string_view part, std::string_view name) {
  const size_t at = name.find(part);
  if (part.size() < 2 || at == std::string_view::npos) return false;
  const size_t end = at + part.size();
  return (at == 0 || name[at - 1] == '_') && (end == name.size() || name[end] == '_');
}

}  // namespace

std::string nearest_key(const std::string& unknown, const std::vector<std::string>& known) {
  constexpr int kFar = std::numeric_limits<int>::max();
  const SplitKey wanted = split(unknown);
  // Nobody misspells a whole word, and long texts would take long to compare.
  if (wanted.word.size() > 40) return {};
  const int letters = static_cast<int>(wanted.word.size());
  const int limit_within = letters < 2 ? 1 : std::max(2, 2 * letters / 3);
  const int limit_elsewhere = letters < 4 ? 1 : 2;

  std::string nearest;
  int least = kFar;
  for (const std::string& key : known) {
    const SplitKey candidate = split(key);
    const bool same_section = candidate.section == wanted.section;
    int cost = distance(wanted.word, candidate.word);
    if (cost > (same_section ? limit_within : limit_elsewhere))
      cost = same_section && is_word_of(wanted.word, candidate.word) ? limit_within : kFar;
    if (cost < kFar && !same_section) cost += 1;
    if (cost < least) {
      least = cost;
      nearest = key;
    }
  }
  return nearest;
}

}  // namespace xformer
