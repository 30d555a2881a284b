// How far work has come: one line on a terminal that is rewritten while work goes on, log lines now
// and then where stderr is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace xformer {

/// Takes the line that a ProgressLine shows off the terminal, so that something else can be written
/// there; the log does so by itself (runtime/log.h).
void clear_progress_line();

/// Nothing where stderr is no terminal, or one that cannot rewrite a line (TERM=dumb).
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear_progress_line(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool on_terminal() const { return on_terminal_; }
  /// Whether show() would draw: on a terminal, and not drawn within the last fifth of a second.
  bool due() const;
  void show(const std::string& text);

 private:
  bool on_terminal_;
  std::chrono::steady_clock::time_point last_{};
};

/// Work on a number of like things, with its speed and the time left.
class WorkProgress {
 public:
  /// "translated", "lines"; `total` is how many there will be, 0 when nobody knows.
  WorkProgress(std::string verb, std::string things, int64_t total);
  /// So many more are done. Shows it where it is time to: on a terminal at once, in the log twice a
  /// minute.
  void add(int64_t count);

 private:
  using Clock = std::chrono::steady_clock;

  std::string text() const;

  std::string verb_, things_;
  int64_t total_, done_ = 0;
  ProgressLine line_;
  Clock::time_point start_ = Clock::now(), logged_ = start_;
};

/// A duration for people: "42 s", "3 min 05 s", "2 h 10 min".
std::string to_text(std::chrono::duration<double> duration);

}  // namespace xformer
