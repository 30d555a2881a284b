// One line on a terminal that is rewritten while work goes on; nothing where stderr is not a
// terminal.
#pragma once

#include <chrono>
#include <string>

namespace xformer {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether show() would draw: on a terminal, and not drawn within the last fifth of a second.
  bool due() const;
  void show(const std::string& text);
  /// Takes the line away, so that a log line can be written.
  void clear();

 private:
  bool on_terminal_, shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

/// A duration for people: "42 s", "3 min 05 s", "2 h 10 min".
std::string to_text(std::chrono::duration<double> duration);

}  // namespace xformer
