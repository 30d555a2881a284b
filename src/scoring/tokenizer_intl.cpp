#include "scoring/tokenizer_intl.h"

#include <utility>
#include <vector>

#include "scoring/code_points.h"
#include "scoring/unicode_categories.h"

namespace xformer {
namespace {

struct Character {
  UChar32 code;
  Category category;
};
using Characters = std::vector<Character>;

constexpr Character kSpace{' ', Category::kOther};

/// Puts a space between the two characters of each pair that `matches`, and around the punctuation
/// in it. Pairs do not overlap, as in a regular expression's substitution.
template <typename Matches>
Characters space_out_pairs(const Characters& text, bool punctuation_first, Matches matches) {
  Characters result;
  result.reserve(2 * text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !matches(text[i].category, text[i + 1].category)) {
      result.push_back(text[i]);
      continue;
    }
    if (punctuation_first) result.push_back(kSpace);
    result.insert(result.end(), {text[i], kSpace, text[i + 1]});
    if (!punctuation_first) result.push_back(kSpace);
    ++i;
  }
  return result;
}

}  // namespace

std::string tokenize_intl(std::string_view line) {
  Characters text;
  text.reserve(line.size());
  for_each_character(line, [&](UChar32 c) { text.push_back({c, category_of(c)}); });
  text = space_out_pairs(text, /*punctuation_first=*/false, [](Category a, Category b) {
    return a != Category::kNumber && b == Category::kPunctuation;
  });
  text = space_out_pairs(text, /*punctuation_first=*/true, [](Category a, Category b) {
    return a == Category::kPunctuation && b != Category::kNumber;
  });
  std::string result;
  for (const auto& [code, category] : text) {
    const bool symbol = category == Category::kSymbol;
    if (symbol) result += ' ';
    append_character(result, code);
    if (symbol) result += ' ';
  }
  return result;
}

}  // namespace xformer
