// Sets up LibTorch as the command line asks.
#pragma once

#include "commands/common.h"
#include "libtorch.h"

namespace xformer {

/// Fixes the number of threads, before any tensor is made, and names the device. "auto" takes a GPU
/// where there is one. Throws UserError for a device that does not exist.
torch::Device start_compute(const CommonOptions& options);

}  // namespace xformer
