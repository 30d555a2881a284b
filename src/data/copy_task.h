// The Annotated Transformer's first example: lines of random symbols whose translation is
// themselves.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace xformer {

/// Lines such as "7 2 10 5" of 1 to `length` symbols; a function of (config, seed) alone.
std::vector<std::string> copy_task_lines(const CopyTaskConfig& config, int64_t lines,
                                         uint64_t seed);

}  // namespace xformer
