#include "decode/constraints.h"

#include <algorithm>

namespace xformer {

bool blocks_never(const SearchOptions& options) {
  return options.rules == SearchRules::kHuggingFace && options.knows_scores();
}

std::vector<int32_t> blocked_pieces(const std::vector<int32_t>& ids, const SearchOptions& options) {
  std::vector<int32_t> blocked;
  if (blocks_never(options)) blocked = options.tokens.never;
  const auto length = std::ssize(ids);
  if (length < options.min_length) blocked.push_back(options.tokens.eos);
  const int64_t context = options.no_repeat_ngram - 1;
  const bool may_repeat = context >= 0 && length > context;
  for (auto begin = ids.begin(); may_repeat && ids.end() - begin > context; ++begin) {
    if (std::equal(begin, begin + context, ids.end() - context)) blocked.push_back(begin[context]);
  }
  std::ranges::sort(blocked);
  const auto surplus = std::ranges::unique(blocked);
  blocked.erase(surplus.begin(), surplus.end());
  return blocked;
}

}  // namespace xformer
