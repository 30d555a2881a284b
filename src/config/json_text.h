// JSON text to values, with faults in words that a person who wrote the text can use.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// Reads one JSON value; comments and a byte order mark are skipped. Keys that an object holds
/// twice are added to `duplicates`, as "training.warmup"; the last one counts. Throws UserError
/// "NAME, line 3, column 14: not valid JSON: ..." when the text is not JSON.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& name,
                                  std::vector<std::string>& duplicates);

/// Reads JSON that a program wrote: comments and keys given twice are faults too. Throws UserError.
nlohmann::json parse_strict_json(std::string_view text, const std::string& name);

/// A value as one line for a message, shortened when it is long.
std::string shown(const nlohmann::ordered_json& value);

/// A key as one line for a message: in quotes when it is not made of plain characters.
std::string shown_key(const std::string& key);

}  // namespace xformer
