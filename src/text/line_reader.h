// Lines of text from a file descriptor: only LF ends a line, whatever bytes it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "runtime/file_descriptor.h"

namespace xformer {

/// What was not plain UTF-8 text, counted so that it can be said.
struct LineOddities {
  int64_t invalid_utf8_lines = 0, first_invalid_utf8_line = 0;
  int64_t control_character_lines = 0, first_control_character_line = 0;
  bool byte_order_mark = false;
};

/// Reads line by line in bounded memory. What it hands out is valid UTF-8 without line ends of any
/// kind: a CR before the LF or the end and a byte order mark at the start are dropped; invalid
/// bytes become U+FFFD; NUL, other control characters, lone CRs and Unicode's line ends (U+0085,
/// U+2028, U+2029, VT, FF) become a space. A tab stays. Every reading member throws UserError for
/// UTF-16 and RunError when the system cannot read.
class LineReader {
 public:
  /// Opens a file. Throws UserError when it is missing, a folder, unreadable, or UTF-16.
  explicit LineReader(const std::filesystem::path& path);
  /// Reads from an open descriptor that it does not own; `name` is what errors call it.
  /// Throws UserError when it is closed or a folder.
  LineReader(int descriptor, std::string name);

  /// The next line, or false at the end. The last line need not end in LF. Waits for input; when a
  /// stop is requested meanwhile (runtime/stop_signal.h), gives up and returns false.
  bool next(std::string& line);
  /// Passes over the next line without looking at its bytes; false as for next().
  bool skip();
  /// Whether next() would answer without waiting: a whole line, or the end, is at hand.
  bool ready();
  /// Lines handed out or skipped so far.
  int64_t count() const { return count_; }
  const LineOddities& oddities() const { return oddities_; }
  /// One warning for each kind of oddity met so far: the name, how many lines, the first of them,
  /// what was done.
  void warn_of_oddities() const;

 private:
  bool next_raw(std::string_view& raw);
  bool has_line();
  bool fill(bool wait);
  size_t read_available();
  void make_room();
  void pass_byte_order_mark();

  std::string name_, buffer_;
  FileDescriptor owned_;        ///< of the file that the first constructor opened
  size_t start_ = 0, end_ = 0;  ///< buffer_[start_, end_) is read and not handed out
  size_t scanned_ = 0;          ///< no LF in buffer_[start_, scanned_)
  int descriptor_;
  bool at_end_ = false;
  int64_t count_ = 0;
  LineOddities oddities_;
};

/// How many lines LineReader finds in a file. Throws as its constructor does, and UserError for a
/// pipe, whose lines could not be read again.
int64_t count_lines(const std::filesystem::path& path);

}  // namespace xformer
