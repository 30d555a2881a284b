#include "text/line_reader.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "text/clean_line.h"

namespace xformer {
namespace {

constexpr size_t kChunkBytes = 256 * 1024;
// Another thread may have taken the signal, so that no system call of this one is interrupted.
constexpr int kStopCheckMilliseconds = 100;

void refuse_utf16(std::string_view start, const std::string& name) {
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
    throw UserError(name + " is UTF-16, must be UTF-8: convert it with iconv -f UTF-16 -t UTF-8");
  }
}

void count_oddity(int64_t line, int64_t& lines, int64_t& first_line) {
  if (lines++ == 0) first_line = line;
}

}  // namespace

void warn_of_oddities(const std::string& name, const LineOddities& oddities, int64_t lines) {
  if (oddities.byte_order_mark) spdlog::info("{}: begins with a byte order mark: dropped", name);
  if (oddities.invalid_utf8_lines > 0) {
    spdlog::warn("{}: invalid UTF-8 in {} of {} lines, first in line {}: replaced by U+FFFD", name,
                 oddities.invalid_utf8_lines, lines, oddities.first_invalid_utf8_line);
  }
  if (oddities.control_character_lines > 0) {
    spdlog::warn("{}: control characters in {} of {} lines, first in line {}: replaced by spaces",
                 name, oddities.control_character_lines, lines,
                 oddities.first_control_character_line);
  }
}

LineReader::LineReader(const std::filesystem::path& path)
    : name_(path.string()), owned_(open_to_read(path)), descriptor_(owned_.number()) {
  char start[4];
  const ssize_t size = ::pread(descriptor_, start, sizeof start, 0);
  if (size <= 0) return;  // empty, or a pipe
  const std::string_view bytes(start, static_cast<size_t>(size));
  refuse_utf16(bytes, name_);
  decompressor_ = Decompressor::for_start(bytes, name_);
}

LineReader::LineReader(int descriptor, std::string name)
    : name_(std::move(name)), owned_(-1), descriptor_(descriptor) {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0) throw UserError(name_ + ": " + system_reason(errno));
  if (S_ISDIR(status.st_mode)) throw UserError(name_ + " is a folder, must be text");
}

bool LineReader::next(std::string& line) {
  std::string_view raw;
  if (!next_raw(raw)) return false;
  const LineFaults faults = clean_line(raw, line);
  if (faults.invalid_utf8) {
    count_oddity(count_, oddities_.invalid_utf8_lines, oddities_.first_invalid_utf8_line);
  }
  if (faults.control_character) {
    count_oddity(count_, oddities_.control_character_lines, oddities_.first_control_character_line);
  }
  return true;
}

std::vector<std::string> LineReader::rest() {
  std::vector<std::string> lines;
  for (std::string line; next(line);) lines.push_back(line);
  return lines;
}

bool LineReader::skip() {
  std::string_view raw;
  return next_raw(raw);
}

bool LineReader::ready() {
  while (!has_line()) {
    if (!fill(/*wait=*/false)) return false;
  }
  return true;
}

/// The next line without its end, valid until the reader is used again.
bool LineReader::next_raw(std::string_view& raw) {
  while (!has_line()) {
    if (!fill(/*wait=*/true)) return false;
  }
  if (count_ == 0) pass_byte_order_mark();
  if (start_ == end_) return false;
  raw = std::string_view(buffer_).substr(start_, scanned_ - start_);
  if (raw.ends_with('\r')) raw.remove_suffix(1);
  start_ = scanned_ = std::min(scanned_ + 1, end_);
  ++count_;
  return true;
}

/// Whether a whole line or the end is in the buffer; moves scanned_ to the LF, or to end_.
bool LineReader::has_line() {
  if (scanned_ < end_) {
    const void* found = std::memchr(buffer_.data() + scanned_, '\n', end_ - scanned_);
    scanned_ = found ? static_cast<const char*>(found) - buffer_.data() : end_;
  }
  return scanned_ < end_ || at_end_;
}

/// Reads once, or finds the end. False when nothing came: because nothing is there and `wait` is
/// false, or because a stop was requested while it waited.
bool LineReader::fill(bool wait) {
  while (true) {
    pollfd request{descriptor_, POLLIN, 0};
    const int answer = ::poll(&request, 1, wait ? kStopCheckMilliseconds : 0);
    if (answer < 0 && errno != EINTR) throw RunError(name_ + ": " + system_reason(errno));
    if (answer > 0 && (read_available() > 0 || at_end_)) return true;
    if (!wait || stop_requested()) return false;
  }
}

/// Appends what one system call gives, unpacked, and returns its size; 0 at the end, or when
/// nothing could be had this time.
size_t LineReader::read_available() {
  make_room();
  const size_t size =
      decompressor_ ? unpack_some() : read_bytes(buffer_.data() + end_, buffer_.size() - end_);
  end_ += size;
  return size;
}

/// One system call; 0 at the end, or when nothing could be had this time.
size_t LineReader::read_bytes(char* place, size_t size) {
  const ssize_t count = ::read(descriptor_, place, size);
  if (count > 0) {
    if (look_) look_({place, static_cast<size_t>(count)});
    return static_cast<size_t>(count);
  }
  if (count == 0) {
    at_end_ = true;
  } else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
    throw RunError(name_ + ": " + system_reason(errno));
  }
  return 0;
}

/// Unpacks to the buffer's end; 0 when the packed text is at its end.
size_t LineReader::unpack_some() {
  while (true) {
    const std::span<char> room(buffer_.data() + end_, buffer_.size() - end_);
    const size_t size = decompressor_->unpack(packed_, room);
    if (size > 0) return size;
    packed_buffer_.resize(kChunkBytes);
    packed_ = {packed_buffer_.data(), read_bytes(packed_buffer_.data(), kChunkBytes)};
    if (at_end_ && !decompressor_->complete()) {
      throw UserError(name_ + ": the packed text ends too early: the file was cut");
    }
    if (packed_.empty()) return 0;
  }
}

void LineReader::make_room() {
  if (start_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + start_, end_ - start_);
    scanned_ -= start_;
    end_ -= start_;
    start_ = 0;
  }
  if (buffer_.size() - end_ < kChunkBytes / 2) {
    buffer_.resize(std::max(2 * buffer_.size(), kChunkBytes));
  }
}

void LineReader::pass_byte_order_mark() {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  const std::string_view start = std::string_view(buffer_).substr(start_, end_ - start_);
  refuse_utf16(start, name_);
  oddities_.byte_order_mark = start.starts_with(kMark);
  if (oddities_.byte_order_mark) start_ += kMark.size();
}

}  // namespace xformer
