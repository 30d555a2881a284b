#include "text/training_text.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <utility>

#include "runtime/stop_signal.h"

namespace xformer {
namespace {

/// U+2585 stands for unknown characters inside SentencePiece's trainer, which skips lines that hold
/// it.
constexpr std::string_view kReserved = "\xE2\x96\x85";

/// Whether some normalization of SentencePiece's may leave nothing of the character.
bool may_vanish(UChar32 c) {
  constexpr UChar32 kSpaceMark = 0x2581, kReplacementCharacter = 0xfffd;
  return c < 0 || c == kSpaceMark || c == kReplacementCharacter || u_isUWhiteSpace(c) ||
         !u_isgraph(c) || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

bool has_visible_character(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    UChar32 c;
    U8_NEXT(text.data(), i, text.size(), c);
    if (!may_vanish(c)) return true;
  }
  return false;
}

/// Bytes of the longest portion at the start of `text`: up to a space if there is one, else whole
/// characters.
size_t portion_size(std::string_view text) {
  constexpr size_t kLongest = TextPortions::kLongestPortion;
  if (text.size() <= kLongest) return text.size();
  const size_t space = text.find_last_of(" \t", kLongest - 1);
  if (space != text.npos && space > 0) return space;
  size_t size = kLongest;
  while (size > kLongest - U8_MAX_LENGTH && U8_IS_TRAIL(text[size])) --size;
  return size;
}

void replace_reserved(std::string& text) {
  for (size_t at = text.find(kReserved); at != text.npos; at = text.find(kReserved, at)) {
    text.replace(at, kReserved.size(), " ");
  }
}

}  // namespace

bool FileLines::next(std::string& line) {
  while (next_of_all(line)) {
    leave_if_stopped();
    if (text_.lines <= most_lines_) return true;
    if (random_.below(static_cast<uint64_t>(text_.lines)) < static_cast<uint64_t>(most_lines_))
      return true;
  }
  leave_if_stopped();
  return false;
}

bool FileLines::next_of_all(std::string& line) {
  while (true) {
    if (reader_ && reader_->next(line)) return true;
    if (next_file_ == text_.files.size()) return false;
    reader_ = std::make_unique<LineReader>(text_.files[next_file_++]);
  }
}

bool TextPortions::next(std::string& portion) {
  while (true) {
    if (used_ >= line_.size()) {
      if (!next_line_(line_)) return false;
      used_ = 0;
      lines_cut_ += line_.size() > kLongestPortion;
    }
    const std::string_view rest = std::string_view(line_).substr(used_);
    const size_t size = portion_size(rest);
    used_ += size;
    portion.assign(rest.substr(0, size));
    replace_reserved(portion);
    if (has_visible_character(portion)) return true;
  }
}

}  // namespace xformer
