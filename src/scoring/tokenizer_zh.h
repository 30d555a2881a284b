// The tokenizer "zh": Chinese characters one by one, the rest as "13a" has it, as in
// sacreBLEU 2.6.0.
#pragma once

#include <string>
#include <string_view>

namespace xformer {

/// `line` with white space put between its tokens. SGML's leftovers stay.
std::string tokenize_zh(std::string_view line);

}  // namespace xformer
