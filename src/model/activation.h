// What the feed-forward network has between its two layers.
#pragma once

#include "config/config.h"
#include "libtorch.h"

namespace xformer {

/// max(0, x) in the paper; models from elsewhere have smoother ones. (...) -> (...)
torch::Tensor activate(const torch::Tensor& x, Activation activation);

}  // namespace xformer
