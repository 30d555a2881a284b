// The tokenizer of a Hugging Face Marian folder: two SentencePiece models, and maps of their pieces
// to ids.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "formats/hugging_face_config.h"
#include "text/tokenizer.h"

namespace xformer {

struct HuggingFaceVocabulary {
  Vocabulary vocabulary;
  bool separate = false;               ///< each side has a map of its own
  std::vector<std::string> languages;  ///< the source's language tokens
  std::string name;                    ///< "en-de"; empty: not told
};

/// A map with fewer pieces than the embeddings have rows gets names for the others, which may never
/// be chosen. Fills in what `config` leaves to the vocabulary, and its notes. Throws UserError when
/// a file is missing or damaged, or when maps and configuration contradict each other.
HuggingFaceVocabulary read_hugging_face_vocabulary(const std::filesystem::path& folder,
                                                   HuggingFaceConfig& config);

/// Pieces like ">>fra<<", in the order of their ids.
std::vector<std::string> language_tokens_of(const PieceMap& map);

/// The map that has these pieces at their places. Throws UserError when one is not UTF-8.
PieceMap piece_map_of(const std::vector<std::string>& pieces, const std::string& name);

}  // namespace xformer
