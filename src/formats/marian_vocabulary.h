// The vocabularies of a model that Marian saved, and how its decoder.yml searches.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"
#include "model/encoder_decoder.h"
#include "text/tokenizer.h"

namespace xformer {

struct MarianVocabularies {
  Vocabulary vocabulary;
  VocabularySizes rows;   ///< pieces that Marian knows; those behind them are appended here
  bool separate = false;  ///< each side has ids of its own
  std::vector<std::string> languages;
  DecodingConfig decoding;
  std::vector<std::string> notes;
};

/// Of the model in `file`. Both sides get the same number of pieces, of which the last is <pad>.
/// Throws UserError when a file is missing or damaged, when text is cut by another tool than
/// SentencePiece, or when the sides have </s> or <unk> in different places.
MarianVocabularies read_marian_vocabularies(const std::filesystem::path& file);

}  // namespace xformer
