// The log: plain lines on stderr. stdout belongs to results.
#pragma once

#include <spdlog/spdlog.h>

#include <string>

namespace xformer {

/// Names that --log-level takes.
inline constexpr const char* kLogLevels[] = {"debug", "info", "warning", "error", "off"};

/// Sends spdlog's default logger to stderr at `level`, one of kLogLevels.
void start_log(const std::string& level);

}  // namespace xformer
