// Ids of pieces that are not SentencePiece's own: the vocab.json of Marian models in Hugging Face's
// form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace xformer {

class PieceMap {
 public:
  /// Reads {"piece": id, ...}. Throws UserError unless the ids are 0, 1, 2, ... without a hole;
  /// `name` is what errors call it.
  static PieceMap from_json(std::string json, const std::string& name);

  std::optional<int32_t> find(std::string_view piece) const;
  const std::string& piece(int32_t id) const { return pieces_[static_cast<size_t>(id)]; }
  int64_t size() const { return static_cast<int64_t>(pieces_.size()); }
  /// The text that it was read from.
  const std::string& json() const { return json_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::string json_;
  std::vector<std::string> pieces_;
  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> ids_;
};

}  // namespace xformer
