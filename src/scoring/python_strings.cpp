#include "scoring/python_strings.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>

#include <algorithm>

#include "runtime/error.h"

namespace xformer {
namespace {

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

}  // namespace

size_t whitespace_at(std::string_view text, size_t at) {
  const char c = text[at];
  if (is_ascii(c)) {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f) ? 1 : 0;
  }
  const std::string_view pair = text.substr(at, 2), triple = text.substr(at, 3);
  if (pair == "\u0085" || pair == "\u00a0") return 2;
  for (const std::string_view other :
       {"\u1680", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"}) {
    if (triple == other) return 3;
  }
  return triple >= "\u2000" && triple <= "\u200a" ? 3 : 0;
}

void split_words(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t space = starts_no_whitespace(text[at]) ? 0 : whitespace_at(text, at);
    if (space == 0) {
      ++at;
      continue;
    }
    if (at > begin) words.push_back(text.substr(begin, at - begin));
    begin = at += space;
  }
  if (begin < text.size()) words.push_back(text.substr(begin));
}

std::string_view strip_end(std::string_view text) {
  while (!text.empty()) {
    size_t last = text.size() - 1;
    while (last > 0 && (text[last] & '\xc0') == '\x80') --last;
    if (whitespace_at(text, last) != text.size() - last) break;
    text.remove_suffix(text.size() - last);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  while (!text.empty()) {
    const size_t space = whitespace_at(text, 0);
    if (space == 0) break;
    text.remove_prefix(space);
  }
  return strip_end(text);
}

std::string lowercased(std::string_view text) {
  std::string result;
  if (std::all_of(text.begin(), text.end(), is_ascii)) {
    result = text;
    for (char& c : result) {
      if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    }
    return result;
  }
  icu::StringByteSink<std::string> sink(&result, static_cast<int32_t>(text.size()));
  UErrorCode error = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower(/*locale=*/"", /*options=*/0,
                            icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink,
                            /*edits=*/nullptr, error);
  if (U_FAILURE(error)) {
    throw RunError(std::string("ICU cannot lower-case a line: ") + u_errorName(error));
  }
  return result;
}

}  // namespace xformer
