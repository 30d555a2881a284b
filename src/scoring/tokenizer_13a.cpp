#include "scoring/tokenizer_13a.h"

#include <utility>

namespace xformer {
namespace {

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

/// Takes SGML's leftovers out of a line. The order counts: "&amp;lt;" becomes "<".
void undo_sgml(std::string& text) {
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  if (text.find('&') == std::string::npos) return;
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_point(char c) {
  return c == '.' || c == ',';
}

/// ASCII punctuation but for the apostrophe, comma, hyphen and full stop.
bool is_symbol(char c) {
  return (c > ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

void space_out_symbols(const std::string& text, std::string& result) {
  result.clear();
  for (const char c : text) {
    if (is_symbol(c)) {
      result.append({' ', c, ' '});
    } else {
      result += c;
    }
  }
}

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

std::string tokenize_13a(std::string_view line) {
  std::string text(line), spaced;
  undo_sgml(text);
  text.insert(text.begin(), ' ');
  text += ' ';
  spaced.reserve(2 * text.size());
  space_out_symbols(text, spaced);
  text.reserve(2 * text.size());
  space_out_pairs(spaced, text, Gap::kAfter,
                  [](char a, char b) { return !is_digit(a) && is_point(b); });
  space_out_pairs(text, spaced, Gap::kBefore,
                  [](char a, char b) { return is_point(a) && !is_digit(b); });
  space_out_pairs(spaced, text, Gap::kAfter,
                  [](char a, char b) { return is_digit(a) && b == '-'; });
  return text;
}

}  // namespace xformer
