#include "scoring/tokenizer_13a.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "scoring/python_strings.h"
#include "scoring/western_spacing.h"

namespace xformer {
namespace {

/// Takes SGML's leftovers out of a line. The order counts: "&amp;lt;" becomes "<".
void undo_sgml(std::string& text) {
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  if (text.find('&') == std::string::npos) return;
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

enum Kind : uint8_t { kOther, kDigit, kPoint, kHyphen, kSymbol, kSpaceOrOther };

constexpr std::array<Kind, 256> make_kinds() {
  std::array<Kind, 256> kinds{};
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    kinds[byte] = !starts_no_whitespace(c) ? kSpaceOrOther
                  : is_symbol(c)           ? kSymbol
                  : is_digit(c)            ? kDigit
                  : is_point(c)            ? kPoint
                  : c == '-'               ? kHyphen
                                           : kOther;
  }
  return kinds;
}
constexpr std::array<Kind, 256> kKinds = make_kinds();

Kind kind_of(char c) {
  return kKinds[static_cast<unsigned char>(c)];
}

/// Splits one stretch between white space and symbols. No rule of 13a looks across its ends: all it
/// sees there is a space, which is no digit, no point and no hyphen.
class StretchSplitter {
 public:
  explicit StretchSplitter(LineWords& result) : result_(result) {}

  /// `plain`: a full stop or comma stands only between digits, or once at the end; no hyphen
  /// follows a digit.
  void add(std::string_view stretch, bool plain) {
    if (stretch.empty()) return;
    if (!plain) return add_by_rules(stretch);
    const bool ends_in_point = is_point(stretch.back());
    if (ends_in_point && stretch.size() > 1)
      result_.words.push_back(stretch.substr(0, stretch.size() - 1));
    result_.words.push_back(ends_in_point ? stretch.substr(stretch.size() - 1) : stretch);
  }

 private:
  void add_by_rules(std::string_view stretch) {
    spaced_.assign(1, ' ').append(stretch).append(1, ' ');
    space_out_points_and_hyphens(spaced_, scratch_);
    const size_t begin = result_.scratch.size();
    result_.scratch += spaced_;
    split_words(std::string_view(result_.scratch).substr(begin), words_);
    result_.words.insert(result_.words.end(), words_.begin(), words_.end());
  }

  LineWords& result_;
  std::string spaced_, scratch_;
  std::vector<std::string_view> words_;
};

/// Room for a line in which each of three rules doubles a stretch and the spaces around it, so that
/// words found first stay in place.
constexpr size_t kMostBytesOfOne = 16;

}  // namespace

std::string tokenize_13a(std::string_view line) {
  std::string text(line), scratch;
  undo_sgml(text);
  text.insert(text.begin(), ' ');
  text += ' ';
  space_out_symbols(text, scratch);
  space_out_points_and_hyphens(text, scratch);
  return text;
}

void split_13a(std::string_view line, LineWords& result) {
  constexpr auto kNowhere = std::string_view::npos;
  if (line.find('&') != kNowhere || line.find('<') != kNowhere || line.find('\n') != kNowhere) {
    result.text = line;
    undo_sgml(result.text);
    line = result.text;
  }
  result.words.clear();
  result.scratch.clear();
  result.scratch.reserve(kMostBytesOfOne * line.size());
  StretchSplitter splitter(result);

  size_t begin = 0;  // of the stretch
  bool plain = true;
  for (size_t at = 0; at < line.size();) {
    const Kind kind = kind_of(line[at]);
    const size_t gap = kind == kSymbol ? 1 : kind == kSpaceOrOther ? whitespace_at(line, at) : 0;
    if (gap > 0) {
      splitter.add(line.substr(begin, at - begin), plain);
      if (kind == kSymbol) result.words.push_back(line.substr(at, 1));
      begin = at += gap;
      plain = true;
      continue;
    }
    const bool after_digit = at > begin && is_digit(line[at - 1]);
    if (kind == kHyphen) {
      plain = plain && !after_digit;
    } else if (kind == kPoint && at + 1 < line.size()) {
      const bool between_digits = after_digit && is_digit(line[at + 1]);
      plain = plain && (between_digits || kind_of(line[at + 1]) == kSymbol ||
                        whitespace_at(line, at + 1) > 0);
    }
    ++at;
  }
  splitter.add(line.substr(begin), plain);
}

}  // namespace xformer
