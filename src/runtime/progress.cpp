#include "runtime/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "runtime/log.h"

namespace xformer {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(200);
constexpr auto kLogInterval = std::chrono::seconds(30);

/// Of the one terminal that stderr is.
std::atomic<bool> line_is_shown{false};

size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

bool can_rewrite_lines() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

void clear_progress_line() {
  if (!line_is_shown.exchange(false)) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

ProgressLine::ProgressLine() : on_terminal_(can_rewrite_lines()) {}

bool ProgressLine::due() const {
  return on_terminal_ && std::chrono::steady_clock::now() - last_ >= kInterval;
}

void ProgressLine::show(const std::string& text) {
  if (!on_terminal_) return;
  last_ = std::chrono::steady_clock::now();
  line_is_shown = true;
  // A line that wrapped could not be taken back by a carriage return.
  fmt::print(stderr, "\r{}\x1b[K", text.substr(0, terminal_width() - 1));
  std::fflush(stderr);
}

WorkProgress::WorkProgress(std::string verb, std::string things, int64_t total)
    : verb_(std::move(verb)), things_(std::move(things)), total_(total) {}

void WorkProgress::add(int64_t count) {
  done_ += count;
  if (line_.due()) line_.show(text());
  const auto now = Clock::now();
  if (line_.on_terminal() || now - logged_ < kLogInterval) return;
  logged_ = now;
  spdlog::info("{}", text());
}

std::string WorkProgress::text() const {
  const auto seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double speed = static_cast<double>(done_) / std::max(1e-9, seconds);
  std::string text = total_ > 0 ? fmt::format("{} {} of {} {}", verb_, done_, total_, things_)
                                : fmt::format("{} {} {}", verb_, done_, things_);
  text += fmt::format(", {:.{}f} {}/s", speed, speed < 10 ? 1 : 0, things_);
  if (total_ < done_) return text;
  const auto open = static_cast<double>(total_ - done_);
  return text + fmt::format(", {} left", to_text(std::chrono::duration<double>(open / speed)));
}

std::string to_text(std::chrono::duration<double> duration) {
  const auto seconds = static_cast<int64_t>(std::llround(duration.count()));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

}  // namespace xformer
