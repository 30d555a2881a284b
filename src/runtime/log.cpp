#include "runtime/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

#include <cstdlib>

namespace xformer {

void start_log(const std::string& level) {
  const bool no_color = std::getenv("NO_COLOR") != nullptr;
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
      no_color ? spdlog::color_mode::never : spdlog::color_mode::automatic);
  auto logger = std::make_shared<spdlog::logger>("xformer", sink);
  logger->set_pattern("%H:%M:%S %^%l%$ %v");
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(logger);
}

}  // namespace xformer
