// The tokenizer of TER: Tercom's as sacreBLEU 2.6.0 has it.
#pragma once

#include <string>
#include <string_view>

namespace xformer {

struct TerTokenizerOptions {
  bool normalized = false;      ///< tokenizes Western text, undoes SGML
  bool no_punct = false;        ///< removes punctuation
  bool asian_support = false;   ///< extends the two above to Chinese and Japanese
  bool case_sensitive = false;  ///< else everything is lower-cased
};

/// `line` with white space between its tokens.
std::string tokenize_ter(std::string_view line, const TerTokenizerOptions& options);

}  // namespace xformer
