#include "scoring/tokenizer_ter.h"

#include "scoring/code_points.h"
#include "scoring/python_strings.h"
#include "scoring/western_spacing.h"

namespace xformer {
namespace {

bool is_asian_punctuation(UChar32 c) {
  return c == 0x3001 || c == 0x3002 || (c >= 0x3008 && c <= 0x3011) ||
         (c >= 0x3014 && c <= 0x301F) || (c >= 0xFF61 && c <= 0xFF65) || c == 0x30FB;
}

bool is_full_width_punctuation(UChar32 c) {
  return c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || (c >= 0xFF1A && c <= 0xFF1B) ||
         (c >= 0xFF01 && c <= 0xFF02) || c == 0xFF08 || c == 0xFF09;
}

/// What is split into single characters. sacreBLEU's rules for Hiragana and Katakana can match only
/// a line that is nothing else, and the space in front of every line keeps them from it.
bool is_split_from_others(UChar32 c) {
  return (c >= 0x3200 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0x31C0 && c <= 0x31EF) || (c >= 0x2E80 && c <= 0x2EFF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F) || is_asian_punctuation(c) ||
         is_full_width_punctuation(c);
}

void normalize_western(std::string& text) {
  std::string scratch;
  replace_all(text, "\n-", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  text.insert(text.begin(), ' ');
  text += ' ';
  space_out_symbols(text, scratch);
  replace_all(text, "'s ", " 's ");
  space_out_points_and_hyphens(text, scratch);
}

std::string split_asian(const std::string& text) {
  std::string result;
  for_each_character(text, [&](UChar32 c) {
    const bool alone = is_split_from_others(c);
    if (alone) result += ' ';
    append_character(result, c);
    if (alone) result += ' ';
  });
  return result;
}

void remove_punctuation(std::string& text) {
  std::erase_if(text, [](char c) {
    constexpr std::string_view kRemoved = ".,?:;!\"()";
    return kRemoved.find(c) != std::string_view::npos;
  });
}

std::string without_asian_punctuation(const std::string& text) {
  std::string result;
  for_each_character(text, [&](UChar32 c) {
    if (!is_asian_punctuation(c) && !is_full_width_punctuation(c)) append_character(result, c);
  });
  return result;
}

}  // namespace

std::string tokenize_ter(std::string_view line, const TerTokenizerOptions& options) {
  std::string text = options.case_sensitive ? std::string(line) : lowercased(line);
  if (options.normalized) {
    normalize_western(text);
    if (options.asian_support) text = split_asian(text);
  }
  if (options.no_punct) {
    remove_punctuation(text);
    if (options.asian_support) text = without_asian_punctuation(text);
  }
  return text;
}

}  // namespace xformer
