#include "scoring/western_spacing.h"

#include <string_view>
#include <utility>

namespace xformer {
namespace {

enum class Gap { kBefore, kAfter };

/// Puts spaces between the two characters of each pair that `matches`, and before or after it.
/// Pairs do not overlap: the search goes on behind a pair found, as a regular expression's
/// substitution does. Going by bytes is the same as going by characters here, since one side of
/// each pair is ASCII and the other is only ever kept.
template <typename Matches>
void space_out_pairs(const std::string& text, std::string& result, Gap gap, Matches matches) {
  result.clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !matches(text[i], text[i + 1])) {
      result += text[i];
      continue;
    }
    if (gap == Gap::kBefore) result += ' ';
    result.append({text[i], ' ', text[i + 1]});
    if (gap == Gap::kAfter) result += ' ';
    ++i;
  }
}

}  // namespace

void space_out_symbols(std::string& text, std::string& scratch) {
  scratch.clear();
  for (const char c : text) {
    if (is_symbol(c)) {
      scratch.append({' ', c, ' '});
    } else {
      scratch += c;
    }
  }
  std::swap(text, scratch);
}

void space_out_points_and_hyphens(std::string& text, std::string& scratch) {
  space_out_pairs(text, scratch, Gap::kAfter,
                  [](char a, char b) { return !is_digit(a) && is_point(b); });
  space_out_pairs(scratch, text, Gap::kBefore,
                  [](char a, char b) { return is_point(a) && !is_digit(b); });
  space_out_pairs(text, scratch, Gap::kAfter,
                  [](char a, char b) { return is_digit(a) && b == '-'; });
  std::swap(text, scratch);
}

void replace_all(std::string& text, std::string_view old, std::string_view replacement) {
  size_t at = text.find(old);
  if (at == std::string::npos) return;
  std::string result;
  size_t copied = 0;
  for (; at != std::string::npos; at = text.find(old, copied)) {
    result.append(text, copied, at - copied).append(replacement);
    copied = at + old.size();
  }
  text = result.append(text, copied);
}

}  // namespace xformer
