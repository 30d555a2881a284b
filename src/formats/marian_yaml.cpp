#include "formats/marian_yaml.h"

#include <charconv>

#include "config/json_text.h"
#include "runtime/error.h"
#include "text/piece_map.h"

namespace xformer {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

void append_utf8(std::string& text, uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Goes through the lines that say something.
class YamlLines {
 public:
  YamlLines(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  /// False at the end.
  bool next() {
    while (!rest_.empty()) {
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      const auto line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      left_ = trimmed(line);
      if (!left_.empty() && left_.front() != '#' && left_ != "---" && left_ != "...") return true;
    }
    return false;
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw UserError(name_ + ", line " + std::to_string(number_) + ": " + reason);
  }

  /// What is left of the line.
  std::string_view left() const { return left_; }
  bool take(std::string_view mark) {
    if (!left_.starts_with(mark)) return false;
    left_ = trimmed(left_.substr(mark.size()));
    return true;
  }

  /// A scalar that ends before one of `ends`, or with its quotes.
  std::string scalar(std::string_view ends) {
    if (take("\"")) return double_quoted();
    if (take("'")) return single_quoted();
    const size_t end =
        ends.empty() ? left_.size() : std::min(left_.find_first_of(ends), left_.size());
    const std::string value(trimmed(left_.substr(0, end)));
    left_.remove_prefix(end);
    return value;
  }

  /// A key and the colon behind it. A plain one may hold colons, but none with a blank behind it.
  std::string key() {
    if (left_.starts_with('"') || left_.starts_with('\'')) {
      auto key = scalar("");
      if (!take(":")) refuse("a colon is missing behind " + shown_key(key));
      return key;
    }
    size_t colon = left_.find(": ");
    if (colon == left_.npos && left_.ends_with(':')) colon = left_.size() - 1;
    if (colon == left_.npos) refuse("is no \"key: value\"");
    const std::string key(trimmed(left_.substr(0, colon)));
    left_ = trimmed(left_.substr(colon + 1));
    return key;
  }

 private:
  std::string single_quoted() {
    std::string value;
    for (size_t i = 0; i < left_.size(); ++i) {
      if (left_[i] == '\'') {
        if (left_.substr(i + 1, 1) != "'") return ended(value, i);
        ++i;
      }
      value += left_[i];
    }
    refuse("a quoted text does not end");
  }

  std::string double_quoted() {
    std::string value;
    for (size_t i = 0; i < left_.size(); ++i) {
      if (left_[i] == '"') return ended(value, i);
      if (left_[i] == '\\') {
        i = escape(i + 1, value);
      } else {
        value += left_[i];
      }
    }
    refuse("a quoted text does not end");
  }

  std::string ended(std::string value, size_t quote) {
    left_ = trimmed(left_.substr(quote + 1));
    return value;
  }

  /// Appends what is escaped, and returns where it ends.
  size_t escape(size_t at, std::string& value) {
    constexpr std::string_view kNames = "0abtnvfre\"\\/ N_LP";
    constexpr uint32_t kCodes[] = {0,   7,    8,   9,   10,   11,   12,     13,    27,
                                   '"', '\\', '/', ' ', 0x85, 0xA0, 0x2028, 0x2029};
    const char name = at < left_.size() ? left_[at] : '\0';
    const size_t known = kNames.find(name);
    if (at < left_.size() && known != kNames.npos) {
      append_utf8(value, kCodes[known]);
      return at;
    }
    const size_t digits = name == 'x' ? 2 : name == 'u' ? 4 : name == 'U' ? 8 : 0;
    const auto text = at < left_.size() ? left_.substr(at + 1, digits) : std::string_view();
    uint32_t code = 0;
    const auto [rest, error] = std::from_chars(text.begin(), text.end(), code, 16);
    const bool whole = digits > 0 && text.size() == digits && rest == text.end();
    if (!whole || error != std::errc() || code > 0x10FFFF) refuse("an escape is not known");
    append_utf8(value, code);
    return at + digits;
  }

  std::string_view rest_, left_;
  const std::string& name_;
  size_t number_ = 0;
};

std::vector<std::string> inline_list(YamlLines& lines) {
  std::vector<std::string> values;
  while (!lines.take("]")) {
    if (lines.left().empty()) lines.refuse("a list does not end");
    values.push_back(lines.scalar(",]"));
    lines.take(",");
  }
  return values;
}

int64_t read_id(YamlLines& lines) {
  int64_t id = -1;
  const auto text = lines.left();
  const auto [rest, error] = std::from_chars(text.begin(), text.end(), id);
  if (error != std::errc() || rest != text.end() || id < 0) {
    lines.refuse("the id of a piece is " + shown_key(std::string(text)) +
                 ", must be a whole number");
  }
  return id;
}

std::vector<std::string> pieces_of(const PieceMap& map) {
  std::vector<std::string> pieces;
  for (int32_t id = 0; id < map.size(); ++id) pieces.push_back(map.piece(id));
  return pieces;
}

std::vector<std::string> pieces_by_id(const std::map<std::string, int64_t>& ids,
                                      const std::string& name) {
  std::vector<std::string> pieces(ids.size());
  std::vector<bool> taken(ids.size());
  for (const auto& [piece, id] : ids) {
    const auto at = static_cast<size_t>(id);
    if (at >= ids.size() || taken[at]) {
      throw UserError(name + ": " + shown_key(piece) + " has the id " + std::to_string(id) +
                      ", the ids must be from 0 to " + std::to_string(ids.size() - 1) +
                      ", each once");
    }
    taken[at] = true;
    pieces[at] = piece;
  }
  return pieces;
}

}  // namespace

MarianOptions read_marian_options(std::string_view text, const std::string& name) {
  YamlLines lines(text, name);
  MarianOptions options;
  std::string key;
  while (lines.next()) {
    if (lines.take("- ")) {
      if (key.empty()) lines.refuse("a list has no key");
      options[key].push_back(lines.scalar(""));
      continue;
    }
    key = lines.key();
    if (options.contains(key)) lines.refuse(shown_key(key) + " is given twice");
    auto& values = options[key];
    if (lines.take("[")) {
      values = inline_list(lines);
    } else if (!lines.left().empty()) {
      values.push_back(lines.scalar(""));
    }
  }
  return options;
}

std::vector<std::string> read_marian_vocabulary(std::string_view text, const std::string& name) {
  if (trimmed(text).starts_with('{'))
    return pieces_of(PieceMap::from_json(std::string(text), name));
  YamlLines lines(text, name);
  std::map<std::string, int64_t> ids;
  while (lines.next()) {
    std::string piece;
    if (lines.take("? ")) {
      piece = lines.scalar("");
      if (!lines.next() || !lines.take(":"))
        lines.refuse("a colon is missing behind " + shown_key(piece));
    } else {
      piece = lines.key();
    }
    if (!ids.emplace(piece, read_id(lines)).second)
      lines.refuse(shown_key(piece) + " is there twice");
  }
  return pieces_by_id(ids, name);
}

}  // namespace xformer
