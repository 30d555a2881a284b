// Text to piece ids and back, by SentencePiece.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// Ids that every vocabulary of xformer has in these places.
inline constexpr int32_t kPad = 0, kUnk = 1, kBos = 2, kEos = 3;

/// One SentencePiece model. Cheap to copy, safe to share between threads.
class Tokenizer {
 public:
  /// Throws UserError when the file is missing, is not a SentencePiece model, or has its special
  /// symbols elsewhere.
  static Tokenizer load(const std::filesystem::path& path);
  /// From the bytes of a model; `name` is what errors call it.
  static Tokenizer from_bytes(std::string bytes, const std::string& name);

  /// Plain text to ids, without bos and eos. User text never becomes a control symbol: throws
  /// UserError when the model has one that is a single character, and the text holds it.
  std::vector<int32_t> encode(std::string_view text) const;
  /// Ids to text; control symbols are left out.
  std::string decode(std::span<const int32_t> ids) const;
  std::string piece(int32_t id) const;
  int64_t size() const;
  /// Hash of the model's bytes, in hexadecimal: tells one vocabulary from another.
  const std::string& hash() const;
  /// The bytes of the model, to be written into a model folder.
  const std::string& bytes() const;

 private:
  struct Model;
  explicit Tokenizer(std::shared_ptr<const Model> model);
  std::shared_ptr<const Model> model_;
};

/// The vocabularies of both sides; the same one twice when they are shared.
struct Vocabulary {
  Tokenizer source, target;
  bool shared() const { return source.hash() == target.hash(); }
};

}  // namespace xformer
