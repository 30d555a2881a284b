// Lines on their way into SentencePiece's trainer, in a shape that it takes without skipping or
// aborting.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/line_reader.h"
#include "text/split_mix.h"

namespace xformer {

/// Files, and how many lines they have together, as survey_text counts them.
struct TrainingFiles {
  std::vector<std::filesystem::path> files;
  int64_t lines = 0;
};

/// The lines of several files one after another; of more than `most_lines`, about that many, drawn
/// at random, the same ones each time. Throws as LineReader does, and Stopped.
class FileLines {
 public:
  FileLines(TrainingFiles text, int64_t most_lines)
      : text_(std::move(text)), most_lines_(most_lines) {}
  bool next(std::string& line);

 private:
  bool next_of_all(std::string& line);

  TrainingFiles text_;
  size_t next_file_ = 0;
  std::unique_ptr<LineReader> reader_;
  int64_t most_lines_;
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
