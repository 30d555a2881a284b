#include "scoring/text_lines.h"

#include <unicode/utf8.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "runtime/error.h"
#include "runtime/file_descriptor.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "scoring/code_points.h"
#include "scoring/python_strings.h"

namespace xformer {
namespace {

/// The whole content of a file or a pipe, or less after a stop signal.
std::string read_bytes(const std::filesystem::path& path) {
  constexpr size_t kLeastRoom = size_t{1} << 16;
  const FileDescriptor file = open_to_read(path);
  // The end of a file of known size is found without more room than a byte.
  std::string bytes(file_size_of(file, path) + 1, '\0');
  for (size_t filled = 0;;) {
    if (bytes.size() == filled) bytes.resize(2 * filled + kLeastRoom);
    const ssize_t count = ::read(file.number(), &bytes[filled], bytes.size() - filled);
    if (count > 0) {
      filled += static_cast<size_t>(count);
    } else if (count == 0 || (errno == EINTR && stop_requested())) {
      bytes.resize(filled);
      return bytes;
    } else if (errno != EINTR) {
      throw UserError(path.string() + ": cannot be read: " + system_reason(errno));
    }
  }
}

void refuse_utf16(std::string_view text, const std::string& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw UserError(name + " is UTF-16, must be UTF-8: convert it with iconv -f UTF-16 -t UTF-8");
  }
}

bool is_valid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    constexpr uint64_t kTopBits = 0x8080808080808080;
    uint64_t word;
    if (i + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + i, sizeof word);
      if ((word & kTopBits) == 0) {
        i += sizeof word;
        continue;
      }
    }
    UChar32 c;
    U8_NEXT(text.data(), i, text.size(), c);
    if (c < 0) return false;
  }
  return true;
}

std::string made_valid(std::string_view line) {
  std::string result;
  for_each_character(line, [&](UChar32 c) { append_character(result, c); });
  return result;
}

}  // namespace

TextLines TextLines::read(const std::filesystem::path& path) {
  TextLines text;
  text.name_ = path.string();
  text.bytes_ = std::make_unique<const std::string>(read_bytes(path));
  refuse_utf16(*text.bytes_, text.name_);
  if (text.bytes_->starts_with("\xEF\xBB\xBF")) {
    spdlog::warn("{}: begins with a byte order mark, which counts as a character, as in sacreBLEU",
                 text.name_);
  }
  text.split();
  return text;
}

TextLines::TextLines(std::string name, std::vector<std::string> lines)
    : name_(std::move(name)),
      own_(std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end())) {
  for (const std::string& line : own_) lines_.push_back(strip_end(line));
}

void TextLines::split() {
  size_t invalid = 0, first_invalid = 0;
  const std::string_view text = *bytes_;
  lines_.reserve(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (!is_valid_utf8(line)) {
      if (invalid++ == 0) first_invalid = lines_.size() + 1;
      line = own_.emplace_back(made_valid(line));
    }
    lines_.push_back(strip_end(line));
    begin = end + 1;
  }
  if (invalid == 0) return;
  spdlog::warn("{}: invalid UTF-8 in {} of {} lines, first in line {}: replaced by U+FFFD", name_,
               invalid, lines_.size(), first_invalid);
}

}  // namespace xformer
