// The tokenizers of BLEU by their names in sacreBLEU.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/line_words.h"

namespace xformer {

/// Splits lines into words; safe to share between threads.
class BleuTokenizer {
 public:
  virtual ~BleuTokenizer() = default;
  /// What the signature calls it.
  virtual std::string signature() const = 0;
  /// Replaces the words by those of `line`. They live as long as `line` and `result`.
  virtual void split(std::string_view line, LineWords& result) const = 0;
};

/// 13a, intl, zh, char and none; flores101, flores200, spBLEU-1K and spm with the SentencePiece
/// model of that name in the file `model`. Throws UserError for another name, for ja-mecab and
/// ko-mecab, and when a model is missing, unreadable or given to one that has none.
std::shared_ptr<const BleuTokenizer> make_bleu_tokenizer(const std::string& name,
                                                         const std::string& model = "");

/// The names that make_bleu_tokenizer() takes.
const std::vector<std::string>& bleu_tokenizer_names();

}  // namespace xformer
