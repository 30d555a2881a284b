// The tokenizer "13a": NIST's mteval-v13a as sacreBLEU 2.6.0 has it, the default of BLEU.
#pragma once

#include <string>
#include <string_view>

#include "scoring/line_words.h"

namespace xformer {

/// `line` with white space put between its tokens, so that split_words() finds them. Symbols and
/// punctuation stand alone, except a full stop or comma between digits, a hyphen that follows no
/// digit, and the apostrophe. The plain truth for split_13a().
std::string tokenize_13a(std::string_view line);

/// The same words without a copy of the line where none is needed.
void split_13a(std::string_view line, LineWords& result);

}  // namespace xformer
