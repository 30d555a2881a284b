// The kinds of values that a configuration holds: each function binds a key to a member of its
// type, and knows what may be written there.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/config_fields.h"

namespace xformer {

/// What a number with a fraction must fulfil.
struct Rule {
  const char* text;
  bool (*holds)(double);
};

/// What a whole number may be.
struct Range {
  int64_t least = 0, most = std::numeric_limits<int64_t>::max();
};

Field whole(std::string key, int64_t& member, Range range);
Field whole(std::string key, int32_t& member, Range range);
/// null leaves it absent.
Field optional_whole(std::string key, std::optional<int64_t>& member, Range range);
Field whole_list(std::string key, std::vector<int32_t>& member, Range range);

Field real(std::string key, double& member, Rule rule);
/// A value that was never set is written as `otherwise`.
Field optional_real(std::string key, std::optional<double>& member, const double& otherwise,
                    Rule rule);
/// A single number stands for a list of one.
Field real_list(std::string key, std::vector<double>& member, Rule rule);
/// true leaves the factor absent, false is 1.
Field factor(std::string key, std::optional<double>& member);

Field flag(std::string key, bool& member);
/// null leaves it absent.
Field optional_flag(std::string key, std::optional<bool>& member);

Field text(std::string key, std::string& member);
Field text_list(std::string key, std::vector<std::string>& member);
Field path(std::string key, std::string& member);
/// A single name stands for a list of one.
Field path_list(std::string key, std::vector<std::string>& member);

/// The same, not for a user to set.
Field internal(Field field);

template <typename Value>
using Names = std::vector<std::pair<const char*, Value>>;

/// "a", "b" or "c"
std::string listed(const std::vector<const char*>& names);

/// A value of its own type that JSON knows by name.
template <typename Value>
Field choice(std::string key, Value& member, Names<Value> names) {
  auto read = [&member, names](const Json& value) -> std::string {
    std::vector<const char*> known;
    for (const auto& [name, meaning] : names) {
      if (value == name) {
        member = meaning;
        return {};
      }
      known.push_back(name);
    }
    return listed(known);
  };
  auto write = [&member, names] {
    for (const auto& [name, meaning] : names)
      if (member == meaning) return Json(name);
    return Json();
  };
  return {std::move(key), std::move(read), std::move(write)};
}

}  // namespace xformer
