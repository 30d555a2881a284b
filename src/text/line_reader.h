// Lines of text from a file descriptor: only LF ends a line, whatever bytes it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/file_descriptor.h"
#include "text/decompressor.h"

namespace xformer {

/// What was not plain UTF-8 text, counted so that it can be said.
struct LineOddities {
  int64_t invalid_utf8_lines = 0, first_invalid_utf8_line = 0;
  int64_t control_character_lines = 0, first_control_character_line = 0;
  bool byte_order_mark = false;
};

/// One warning for each kind of oddity: the name of the text, in how many of its `lines`, the first
/// of them, what was done.
void warn_of_oddities(const std::string& name, const LineOddities& oddities, int64_t lines);

/// Reads line by line in bounded memory. What it hands out is valid UTF-8 without line ends of any
/// kind: a CR before the LF or the end and a byte order mark at the start are dropped; invalid
/// bytes become U+FFFD; NUL, other control characters, lone CRs and Unicode's line ends (U+0085,
/// U+2028, U+2029, VT, FF) become a space. A tab stays. Every reading member throws UserError for
/// UTF-16 and RunError when the system cannot read.
class LineReader {
 public:
  /// Opens a file, which may be packed with gzip or zstd. Throws UserError when it is missing, a
  /// folder, unreadable, or UTF-16.
  explicit LineReader(const std::filesystem::path& path);
  /// Reads from an open descriptor that it does not own; `name` is what errors call it.
  /// Throws UserError when it is closed or a folder.
  LineReader(int descriptor, std::string name);

  /// The next line, or false at the end. The last line need not end in LF. Waits for input; when a
  /// stop is requested meanwhile (runtime/stop_signal.h), gives up and returns false.
  bool next(std::string& line);
  /// All lines that are left; fewer when a stop is requested.
  std::vector<std::string> rest();
  /// Passes over the next line without looking at its bytes; false as for next().
  bool skip();
  /// Whether next() would answer without waiting: a whole line, or the end, is at hand.
  bool ready();
  /// Lines handed out or skipped so far.
  int64_t count() const { return count_; }
  const LineOddities& oddities() const { return oddities_; }
  void warn_of_oddities() const { xformer::warn_of_oddities(name_, oddities_, count_); }
  /// From here on `look` is shown the bytes of the file as they are read, packed or not.
  void watch_bytes(std::function<void(std::string_view)> look) { look_ = std::move(look); }

 private:
  bool next_raw(std::string_view& raw);
  bool has_line();
  bool fill(bool wait);
  size_t read_available();
  size_t read_bytes(char* place, size_t size);
  size_t unpack_some();
  void make_room();
  void pass_byte_order_mark();

  std::string name_, buffer_;
  FileDescriptor owned_;  ///< of the file that the first constructor opened
  std::function<void(std::string_view)> look_;
  std::unique_ptr<Decompressor> decompressor_;  ///< of a packed file
  std::string packed_buffer_;
  std::string_view packed_;     ///< part of packed_buffer_ that is still to be unpacked
  size_t start_ = 0, end_ = 0;  ///< buffer_[start_, end_) is read and not handed out
  size_t scanned_ = 0;          ///< no LF in buffer_[start_, scanned_)
  int descriptor_;
  bool at_end_ = false;
  int64_t count_ = 0;
  LineOddities oddities_;
};

}  // namespace xformer
