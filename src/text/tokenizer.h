// Text to piece ids and back, by SentencePiece.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/special_tokens.h"
#include "text/piece_map.h"

namespace xformer {

/// What a tokenizer is made of whose ids are not SentencePiece's.
struct MappedTokenizerParts {
  std::string model;  ///< bytes of a SentencePiece model, with its special symbols anywhere
  PieceMap map;
  SpecialTokens tokens{};
  std::vector<std::string> languages{};  ///< language tokens, pieces of the map like >>fra<<
};

/// One SentencePiece model, with a map of its pieces to other ids if there is one. Cheap to copy,
/// safe to share between threads.
class Tokenizer {
 public:
  /// Throws UserError when the file is missing, is not a SentencePiece model, or has its special
  /// symbols elsewhere.
  static Tokenizer load(const std::filesystem::path& path);
  /// From the bytes of a model; `name` is what errors call it.
  static Tokenizer from_bytes(std::string bytes, const std::string& name);
  /// As Hugging Face's MarianTokenizer: the model cuts text into pieces, the map gives their ids,
  /// that of tokens.unk where it has none. Throws UserError when that is no SentencePiece model, or
  /// when a special or language token is not in the map.
  static Tokenizer with_map(MappedTokenizerParts parts, const std::string& name);

  /// Plain text to ids, without bos and eos. User text never becomes a control symbol: throws
  /// UserError when the model has one that is a single character, and the text holds it. The one
  /// thing that is no text is a language token that a line begins with.
  std::vector<int32_t> encode(std::string_view text) const;
  /// Ids to text; control symbols are left out.
  std::string decode(std::span<const int32_t> ids) const;
  std::string piece(int32_t id) const;
  int64_t size() const;

  /// The same tokenizer, which begins each line that has text with the token of `language` ("fra"
  /// or ">>fra<<"), unless it begins with one already. Throws UserError that names the known ones.
  Tokenizer for_language(const std::string& language) const;
  bool is_language_token(int32_t id) const;

  /// Hash of the model's and the map's bytes, in hexadecimal: tells one vocabulary from another.
  const std::string& hash() const;
  /// The bytes of the model, to be written into a model folder.
  const std::string& bytes() const;
  /// The text of the map, to be written beside it; empty when there is none.
  const std::string& map_json() const;

 private:
  struct Model;
  explicit Tokenizer(std::shared_ptr<const Model> model);
  std::shared_ptr<const Model> model_;
  std::optional<int32_t> language_;  ///< token that a line begins with
};

/// The vocabularies of both sides; the same one twice when they are shared.
struct Vocabulary {
  Tokenizer source, target;
  SpecialTokens tokens{};
  bool shared() const { return source.hash() == target.hash(); }
};

}  // namespace xformer
