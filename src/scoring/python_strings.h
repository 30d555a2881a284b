// Python's str.split, str.rstrip and str.lower on UTF-8: sacreBLEU's figures rest on them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// Replaces `words` by the words of `text`: whatever lies between white space as str.isspace()
/// knows it, such as U+0085, U+00A0, U+3000 and the separators U+001C to U+001F. The words point
/// into `text`.
void split_words(std::string_view text, std::vector<std::string_view>& words);

/// `text` without the white space at its end, or at both ends.
std::string_view strip_end(std::string_view text);
std::string_view strip(std::string_view text);

/// Bytes of the white-space character that starts at `at`, or 0 when none does.
size_t whitespace_at(std::string_view text, size_t at);

/// Whether `c` cannot begin white space: a quick answer for nearly all bytes of a text.
constexpr bool starts_no_whitespace(char c) {
  const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
  return (c > ' ' && is_ascii) ||
         (!is_ascii && c != '\xc2' && c != '\xe1' && c != '\xe2' && c != '\xe3');
}

/// Full lower-casing by Unicode's rules in no particular language: a final capital sigma becomes
/// U+03C2, U+0130 becomes two characters.
std::string lowercased(std::string_view text);

}  // namespace xformer
