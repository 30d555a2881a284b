#include "decode/constraints.h"

#include <algorithm>

#include "text/tokenizer.h"

namespace xformer {

std::vector<int32_t> blocked_pieces(const std::vector<int32_t>& ids, const SearchOptions& options) {
  std::vector<int32_t> blocked;
  const auto length = std::ssize(ids);
  if (length < options.min_length) blocked.push_back(kEos);
  const int64_t context = options.no_repeat_ngram - 1;
  if (context < 0 || length < options.no_repeat_ngram) return blocked;
  for (auto begin = ids.begin(); ids.end() - begin > context; ++begin) {
    if (std::equal(begin, begin + context, ids.end() - context)) blocked.push_back(begin[context]);
  }
  std::ranges::sort(blocked);
  const auto surplus = std::ranges::unique(blocked);
  blocked.erase(surplus.begin(), surplus.end());
  return blocked;
}

}  // namespace xformer
