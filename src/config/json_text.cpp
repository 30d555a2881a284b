#include "config/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/error.h"

namespace xformer {
namespace {

/// Nothing that is read here is nested nearly as deep; values are shown by a function that calls
/// itself.
constexpr int kDeepest = 64;

/// Follows the parser and notes each key that the object around it already has.
template <typename Json>
class DuplicateFinder {
 public:
  DuplicateFinder(const std::string& name, std::vector<std::string>& duplicates)
      : name_(name), duplicates_(duplicates) {}

  bool operator()(int depth, typename Json::parse_event_t event, const Json& parsed) {
    if (depth > kDeepest)
      throw UserError(name_ + ": nested more than " + std::to_string(kDeepest) + " levels deep");
    if (event == Json::parse_event_t::object_start) {
      open_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      Object& object = open_.back();
      object.current = parsed.template get<std::string>();
      if (!object.keys.insert(object.current).second) duplicates_.push_back(current_key());
    }
    return true;
  }

 private:
  struct Object {
    std::set<std::string> keys;
    std::string current;
  };

  std::string current_key() const {
    std::string key;
    for (const Object& object : open_) key += (key.empty() ? "" : ".") + object.current;
    return key;
  }

  const std::string& name_;
  std::vector<std::string>& duplicates_;
  std::vector<Object> open_;
};

void replace(std::string& text, std::string_view part, std::string_view by) {
  const size_t at = text.find(part);
  if (at != std::string::npos) text.replace(at, part.size(), by);
}

/// The reason alone out of the library's "[json.exception.parse_error.101] parse error at line 1,
/// column 9: syntax error while parsing value - invalid literal; last read: 'x'; expected ...".
std::string reason_of(const nlohmann::json::exception& error) {
  std::string reason = error.what();
  // Version 3.11.3 has words of its own for a text that ends before it begins.
  if (reason.find("an empty input") != std::string::npos) return "the text ends too early";
  const auto drop_through = [&](std::string_view mark) {
    const size_t at = reason.find(mark);
    if (at != std::string::npos) reason.erase(0, at + mark.size());
  };
  drop_through("] ");
  if (reason.find("while parsing") != std::string::npos) drop_through(" - ");
  const size_t last_read = reason.find("; last read: '");
  if (last_read != std::string::npos) {
    const size_t end = reason.find("'; expected", last_read + 13);
    reason.erase(last_read, end == std::string::npos ? end : end + 1 - last_read);
  }
  replace(reason, "invalid literal", "text must be in quotes, a value a number, true or false");
  replace(reason, "string literal", "a key in quotes");
  replace(reason, "unexpected end of input", "the text ends too early");
  return reason;
}

/// ", line 3, column 14" for the place before the byte of that number, columns in characters.
std::string position(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const size_t line_start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto is_character_start = [](unsigned char c) { return (c & 0xC0) != 0x80; };
  const auto column = std::count_if(before.begin() + line_start, before.end(), is_character_start);
  return ", line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) +
         ", column " + std::to_string(column + 1);
}

template <typename Json>
Json parse(std::string_view text, const std::string& name, bool ignore_comments,
           std::vector<std::string>& duplicates) {
  try {
    return Json::parse(text.begin(), text.end(), DuplicateFinder<Json>(name, duplicates),
                       /*allow_exceptions=*/true, ignore_comments);
  } catch (const nlohmann::json::parse_error& error) {
    throw UserError(name + position(text, error.byte) + ": not valid JSON: " + reason_of(error));
  } catch (const nlohmann::json::exception& error) {
    throw UserError(name + ": not valid JSON: " + reason_of(error));
  }
}

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text, const std::string& name,
                                  std::vector<std::string>& duplicates) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return parse<nlohmann::ordered_json>(text, name, /*ignore_comments=*/true, duplicates);
}

nlohmann::json parse_strict_json(std::string_view text, const std::string& name) {
  std::vector<std::string> duplicates;
  auto value = parse<nlohmann::json>(text, name, /*ignore_comments=*/false, duplicates);
  if (!duplicates.empty())
    throw UserError(name + ": " + shown_key(duplicates.front()) + " is given twice");
  return value;
}

std::string shown(const nlohmann::ordered_json& value) {
  constexpr size_t kLongest = 100;
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // no half character
  return text.substr(0, end) + "...";
}

std::string shown_key(const std::string& key) {
  const auto is_plain = [](unsigned char c) { return c > ' ' && c < 0x7F && c != '"'; };
  return !key.empty() && std::all_of(key.begin(), key.end(), is_plain)
             ? key
             : shown(nlohmann::ordered_json(key));
}

}  // namespace xformer
