// Whole lines to a file or a pipe, at once and with every failure noticed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace xformer {

/// The reader of a pipe has gone away. Not an error: main leaves as SIGPIPE would make it leave.
struct ClosedPipe {};

class LineWriter {
 public:
  /// To standard output.
  LineWriter();
  /// To a file that is created or emptied. Throws UserError when it cannot be.
  explicit LineWriter(const std::filesystem::path& path);
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  /// Writes text that ends in LF, unbuffered. Throws RunError naming the file and the reason, or
  /// ClosedPipe.
  void write(std::string_view text);

 private:
  std::string name_;
  int descriptor_;
  bool owns_descriptor_;
};

}  // namespace xformer
