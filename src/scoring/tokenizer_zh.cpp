#include "scoring/tokenizer_zh.h"

#include <algorithm>
#include <iterator>

#include "scoring/code_points.h"
#include "scoring/python_strings.h"
#include "scoring/western_spacing.h"

namespace xformer {
namespace {

struct Block {
  UChar32 first, last;
};

/// What sacreBLEU takes for Chinese. Its bounds of five digits read as four and a character, so
/// that the first block is there and the planes beyond the first are not.
constexpr Block kChinese[] = {
    {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3000, 0x303F},
    {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5},
    {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F},
    {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};

bool is_chinese(UChar32 c) {
  return std::any_of(std::begin(kChinese), std::end(kChinese),
                     [c](const Block& block) { return c >= block.first && c <= block.last; });
}

}  // namespace

std::string tokenize_zh(std::string_view line) {
  std::string text, scratch;
  for_each_character(strip(line), [&](UChar32 c) {
    const bool chinese = is_chinese(c);
    if (chinese) text += ' ';
    append_character(text, c);
    if (chinese) text += ' ';
  });
  space_out_symbols(text, scratch);
  space_out_points_and_hyphens(text, scratch);
  return text;
}

}  // namespace xformer
