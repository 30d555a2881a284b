#include "config/field_kinds.h"

#include <algorithm>
#include <cmath>

namespace xformer {
namespace {

/// 4000, 4000.0 and 4e3 are whole numbers; 3.5 and 1e20 are not ones that fit.
std::optional<int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(Range().most)) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  constexpr double kExact = 9007199254740992.0;  // 2^53: above it a double skips whole numbers
  if (std::abs(number) > kExact || number != std::floor(number)) return std::nullopt;
  return static_cast<int64_t>(number);
}

std::string text_of(Range range) {
  const std::string least = std::to_string(range.least);
  return range.most == Range().most
             ? "a whole number of at least " + least
             : "a whole number from " + least + " to " + std::to_string(range.most);
}

bool is_within(Range range, const Json& value) {
  const auto number = whole_number(value);
  return number && *number >= range.least && *number <= range.most;
}

/// The rule that `value` breaks, or nothing.
std::string broken_rule(Range range, const Json& value) {
  if (is_within(range, value)) return {};
  // Told the lower limit only, the writer of 99999999999999999999 would learn nothing.
  const bool too_large =
      !whole_number(value) && value.is_number() && std::abs(value.get<double>()) >= 0x1p63;
  return text_of(range) + (too_large ? " and below 2^63" : "");
}

/// For a member of type double or optional<double>.
template <typename Member>
auto read_real(Member& member, Rule rule) {
  return [&member, rule](const Json& value) -> std::string {
    if (!value.is_number() || !rule.holds(value.get<double>())) return rule.text;
    member = value.get<double>();
    return {};
  };
}

template <typename Member>
Field whole_field(std::string key, Member& member, Range range) {
  auto read = [&member, range](const Json& value) -> std::string {
    std::string broken = broken_rule(range, value);
    if (broken.empty()) member = static_cast<Member>(*whole_number(value));
    return broken;
  };
  return {std::move(key), std::move(read), [&member] { return Json(member); }};
}

/// What was never set is null.
template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

/// A single value is written without brackets.
template <typename Value>
Json one_or_list(const std::vector<Value>& values) {
  return values.size() == 1 ? Json(values[0]) : Json(values);
}

/// Reads `member` from one value or a list of them, each of which `holds`.
template <typename Value, typename Holds>
auto read_list(std::vector<Value>& member, Holds holds, std::string rule) {
  return [&member, holds, rule = std::move(rule)](const Json& value) -> std::string {
    const std::vector<Json> items =
        value.is_array() ? value.get<std::vector<Json>>() : std::vector<Json>{value};
    if (!std::all_of(items.begin(), items.end(), holds)) return rule;
    member.clear();
    for (const Json& item : items) member.push_back(item.get<Value>());
    return {};
  };
}

/// The system would take a name only up to its first NUL, and open another file.
bool is_path(const Json& value) {
  return value.is_string() && value.get<std::string>().find('\0') == std::string::npos;
}

}  // namespace

Field whole(std::string key, int64_t& member, Range range) {
  return whole_field(std::move(key), member, range);
}

Field whole(std::string key, int32_t& member, Range range) {
  return whole_field(std::move(key), member, range);
}

Field optional_whole(std::string key, std::optional<int64_t>& member, Range range) {
  auto read = [&member, range](const Json& value) -> std::string {
    const std::string broken = value.is_null() ? "" : broken_rule(range, value);
    if (!broken.empty()) return broken + ", or null";
    member = whole_number(value);
    return {};
  };
  return {std::move(key), std::move(read), [&member] { return or_null(member); }};
}

Field whole_list(std::string key, std::vector<int32_t>& member, Range range) {
  auto holds = [range](const Json& value) { return is_within(range, value); };
  return {std::move(key), read_list(member, holds, "a list of numbers, each " + text_of(range)),
          [&member] { return Json(member); }};
}

Field real(std::string key, double& member, Rule rule) {
  return {std::move(key), read_real(member, rule), [&member] { return Json(member); }};
}

Field optional_real(std::string key, std::optional<double>& member, const double& otherwise,
                    Rule rule) {
  auto write = [&member, &otherwise] { return Json(member.value_or(otherwise)); };
  return {std::move(key), read_real(member, rule), std::move(write)};
}

Field real_list(std::string key, std::vector<double>& member, Rule rule) {
  auto holds = [rule](const Json& value) {
    return value.is_number() && rule.holds(value.get<double>());
  };
  return {std::move(key), read_list(member, holds, rule.text),
          [&member] { return one_or_list(member); }};
}

Field factor(std::string key, std::optional<double>& member) {
  auto read = [&member](const Json& value) -> std::string {
    if (value.is_boolean()) {
      member = value.get<bool>() ? std::nullopt : std::optional(1.0);
      return {};
    }
    if (!value.is_number() || value.get<double>() <= 0) return "true, false or a number above 0";
    member = value.get<double>();
    return {};
  };
  auto write = [&member] {
    if (!member) return Json(true);
    return *member == 1 ? Json(false) : Json(*member);
  };
  return {std::move(key), std::move(read), std::move(write)};
}

Field flag(std::string key, bool& member) {
  auto read = [&member](const Json& value) -> std::string {
    if (!value.is_boolean()) return "true or false";
    member = value.get<bool>();
    return {};
  };
  return {std::move(key), std::move(read), [&member] { return Json(member); }};
}

Field optional_flag(std::string key, std::optional<bool>& member) {
  auto read = [&member](const Json& value) -> std::string {
    if (!value.is_boolean() && !value.is_null()) return "true, false or null";
    member = value.is_null() ? std::nullopt : std::optional(value.get<bool>());
    return {};
  };
  return {std::move(key), std::move(read), [&member] { return or_null(member); }};
}

Field text(std::string key, std::string& member) {
  auto read = [&member](const Json& value) -> std::string {
    if (!value.is_string()) return "text in quotes";
    member = value.get<std::string>();
    return {};
  };
  Field field{std::move(key), std::move(read), [&member] { return Json(member); }};
  field.text = &member;
  return field;
}

Field text_list(std::string key, std::vector<std::string>& member) {
  auto holds = [](const Json& value) { return value.is_string(); };
  return {std::move(key), read_list(member, holds, "a list of texts in quotes"),
          [&member] { return Json(member); }};
}

Field path(std::string key, std::string& member) {
  Field field = text(std::move(key), member);
  field.read = [&member](const Json& value) -> std::string {
    if (!is_path(value)) return "the name of a file, in quotes";
    member = value.get<std::string>();
    return {};
  };
  field.is_path = true;
  return field;
}

Field path_list(std::string key, std::vector<std::string>& member) {
  Field field{std::move(key),
              read_list(member, is_path, "the name of a file, in quotes, or a list of such names"),
              [&member] { return member.empty() ? Json("") : one_or_list(member); }};
  field.texts = &member;
  field.is_path = true;
  return field;
}

Field internal(Field field) {
  field.is_internal = true;
  return field;
}

std::string listed(const std::vector<const char*>& names) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 < names.size() ? ", " : " or ";
    list += '"' + std::string(names[i]) + '"';
  }
  return list;
}

}  // namespace xformer
