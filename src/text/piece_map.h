// Ids of pieces that are not SentencePiece's own: the vocab.json of Marian models in Hugging Face's
// form.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace xformer {

/// Cheap to copy, safe to share between threads.
class PieceMap {
 public:
  /// Reads {"piece": id, ...}. Throws UserError unless the ids are 0, 1, 2, ... without a hole;
  /// `name` is what errors call it.
  static PieceMap from_json(std::string json, const std::string& name);

  std::optional<int32_t> find(std::string_view piece) const;
  const std::string& piece(int32_t id) const { return table_->pieces[static_cast<size_t>(id)]; }
  int64_t size() const { return static_cast<int64_t>(table_->pieces.size()); }
  /// The text that it was read from.
  const std::string& json() const { return table_->json; }

 private:
  struct Table {
    std::string json;
    std::vector<std::string> pieces;
    std::unordered_map<std::string_view, int32_t> ids;  ///< keys are those of `pieces`
  };
  explicit PieceMap(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  std::shared_ptr<const Table> table_;
};

}  // namespace xformer
