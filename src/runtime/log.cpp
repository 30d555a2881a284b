#include "runtime/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

#include <cstdlib>
#include <string_view>

#include "runtime/progress.h"

namespace xformer {
namespace {

/// A log line takes the place of a progress line.
class TerminalSink : public spdlog::sinks::stderr_color_sink_mt {
 public:
  explicit TerminalSink(spdlog::color_mode mode) : spdlog::sinks::stderr_color_sink_mt(mode) {}

  void log(const spdlog::details::log_msg& message) override {
    clear_progress_line();
    spdlog::sinks::stderr_color_sink_mt::log(message);
  }
};

/// https://no-color.org: the variable counts unless it is empty.
bool colours_are_unwanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color != nullptr && !std::string_view(no_color).empty();
}

}  // namespace

void start_log(const std::string& level) {
  auto sink = std::make_shared<TerminalSink>(
      colours_are_unwanted() ? spdlog::color_mode::never : spdlog::color_mode::automatic);
  auto logger = std::make_shared<spdlog::logger>("xformer", sink);
  logger->set_pattern("%H:%M:%S %^%l%$ %v");
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(logger);
}

}  // namespace xformer
