#include "runtime/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace xformer {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(200);

size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) != 0) {}

bool ProgressLine::due() const {
  return on_terminal_ && std::chrono::steady_clock::now() - last_ >= kInterval;
}

void ProgressLine::show(const std::string& text) {
  if (!on_terminal_) return;
  last_ = std::chrono::steady_clock::now();
  shown_ = true;
  // A line that wrapped could not be taken back by a carriage return.
  fmt::print(stderr, "\r{}\x1b[K", text.substr(0, terminal_width() - 1));
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (!shown_) return;
  shown_ = false;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

std::string to_text(std::chrono::duration<double> duration) {
  const auto seconds = static_cast<int64_t>(std::llround(duration.count()));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

}  // namespace xformer
