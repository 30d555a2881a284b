// A text to be scored, as sacreBLEU reads it.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// Lines without the white space at their ends. Only LF ends a line. Every other character stays
/// what it is, a byte order mark and control characters included; where sacreBLEU would stop,
/// invalid UTF-8 becomes U+FFFD.
class TextLines {
 public:
  /// Reads a file or a pipe. Throws UserError when it cannot be read or is UTF-16; warns of a byte
  /// order mark and of invalid UTF-8.
  static TextLines read(const std::filesystem::path& path);
  /// Takes lines that are there; `name` is what messages call them.
  TextLines(std::string name, std::vector<std::string> lines);

  TextLines(TextLines&&) = default;
  TextLines& operator=(TextLines&&) = default;

  const std::string& name() const { return name_; }
  size_t size() const { return lines_.size(); }
  std::string_view operator[](size_t i) const { return lines_[i]; }

 private:
  TextLines() = default;
  void split();

  std::string name_;
  // Both stay in place when this moves: the lines point into them.
  std::unique_ptr<const std::string> bytes_;
  std::deque<std::string> own_;  ///< lines that are not in bytes_
  std::vector<std::string_view> lines_;
};

}  // namespace xformer
