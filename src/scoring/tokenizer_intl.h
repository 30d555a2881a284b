// The tokenizer "intl": NIST's mteval-v14 with --international-tokenization, as sacreBLEU 2.6.0 has
// it.
#pragma once

#include <string>
#include <string_view>

namespace xformer {

/// `line` with white space put between its tokens: symbols stand alone, punctuation too unless a
/// number is on both sides. Nothing is put around a full stop behind a number at the end of a line.
std::string tokenize_intl(std::string_view line);

}  // namespace xformer
