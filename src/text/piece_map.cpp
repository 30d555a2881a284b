#include "text/piece_map.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "config/json_text.h"
#include "runtime/error.h"

namespace xformer {

PieceMap PieceMap::from_json(std::string json, const std::string& name) {
  const auto root = parse_strict_json(json, name);
  if (!root.is_object()) throw UserError(name + ": must be an object of pieces and their ids");
  auto table = std::make_shared<Table>();
  table->pieces.resize(root.size());
  std::vector<bool> taken(root.size());
  for (const auto& [piece, value] : root.items()) {
    const bool fits = value.is_number_unsigned() && value.get<uint64_t>() < root.size();
    if (!fits) {
      throw UserError(fmt::format("{}: {} has the id {}, must have one from 0 to {}", name,
                                  shown_key(piece), shown(value), root.size() - 1));
    }
    const auto id = value.get<int32_t>();
    auto& place = table->pieces[id];
    if (taken[id]) {
      throw UserError(fmt::format("{}: {} and {} have the same id, {}", name, shown_key(place),
                                  shown_key(piece), id));
    }
    taken[id] = true;
    place = piece;
    table->ids.emplace(place, id);
  }
  table->json = std::move(json);
  return PieceMap(std::move(table));
}

std::optional<int32_t> PieceMap::find(std::string_view piece) const {
  const auto found = table_->ids.find(piece);
  return found == table_->ids.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace xformer
