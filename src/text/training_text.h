// Lines on their way into SentencePiece's trainer, in a shape that it takes without skipping or
// aborting.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/line_reader.h"
#include "text/split_mix.h"

namespace xformer {

/// The lines of several files one after another; of more than `most_lines`, about that many, drawn
/// at random, the same ones each time. Throws as LineReader does, and RunError when a stop is
/// requested.
class FileLines {
 public:
  FileLines(std::vector<std::filesystem::path> files, int64_t most_lines);
  bool next(std::string& line);
  int64_t total() const { return total_; }

 private:
  bool next_of_all(std::string& line);

  std::vector<std::filesystem::path> files_;
  size_t next_file_ = 0;
  std::unique_ptr<LineReader> reader_;
  int64_t total_ = 0, most_lines_;
  SplitMix64 random_{0};
};

/// Cuts lines into portions that SentencePiece trains on. It passes over longer ones, its bpe
/// trainer aborts at words of 65,536 characters, and its unigram trainer aborts when no text has a
/// visible character.
class TextPortions {
 public:
  static constexpr size_t kLongestPortion =
      4000;  ///< bytes; the longest that SentencePiece takes by default is 4,192

  explicit TextPortions(std::function<bool(std::string&)> next_line)
      : next_line_(std::move(next_line)) {}
  /// The next portion with a visible character, or false at the end.
  bool next(std::string& portion);
  int64_t lines_cut() const { return lines_cut_; }

 private:
  std::function<bool(std::string&)> next_line_;
  std::string line_;
  size_t used_ = 0;  ///< line_[0, used_) was handed out
  int64_t lines_cut_ = 0;
};

}  // namespace xformer
