// What the tokenizers "13a", "zh" and TER's have in common: spaces around symbols and punctuation,
// as sacreBLEU's regular expressions put them.
#pragma once

#include <string>
#include <string_view>

namespace xformer {

/// ASCII punctuation but for the apostrophe, comma, hyphen and full stop.
constexpr bool is_symbol(char c) {
  return (c > ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_point(char c) {
  return c == '.' || c == ',';
}

/// Puts a space before and behind each symbol. `scratch` is memory that callers keep.
void space_out_symbols(std::string& text, std::string& scratch);

/// Puts spaces around a full stop or comma unless it stands between digits, and around a hyphen
/// that follows a digit. `text` begins and ends with a space.
void space_out_points_and_hyphens(std::string& text, std::string& scratch);

/// Replaces every `old` in `text`.
void replace_all(std::string& text, std::string_view old, std::string_view replacement);

}  // namespace xformer
