// Which positions may attend to which: true = may attend.
#pragma once

#include "libtorch.h"

namespace xformer {

/// Lower triangle: position i may see positions up to i (paper 3.2.3). (1, size, size) bool
torch::Tensor subsequent_mask(int64_t size, torch::Device device = torch::kCPU);

/// Source positions that are not padding. ids (B, S) -> (B, 1, S) bool
torch::Tensor source_mask(const torch::Tensor& ids, int64_t pad);

/// Target positions that are neither padding nor still to come. ids (B, T) -> (B, T, T) bool
torch::Tensor target_mask(const torch::Tensor& ids, int64_t pad);

}  // namespace xformer
