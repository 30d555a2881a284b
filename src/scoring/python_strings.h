// Python's str.split, str.rstrip and str.lower on UTF-8: sacreBLEU's figures rest on them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// Replaces `words` by the words of `text`: whatever lies between white space as str.isspace()
/// knows it, such as U+0085, U+00A0, U+3000 and the separators U+001C to U+001F. The words point
/// into `text`.
void split_words(std::string_view text, std::vector<std::string_view>& words);

/// `text` without the white space at its end.
std::string_view strip_end(std::string_view text);

/// Full lower-casing by Unicode's rules in no particular language: a final capital sigma becomes
/// U+03C2, U+0130 becomes two characters.
std::string lowercased(std::string_view text);

}  // namespace xformer
