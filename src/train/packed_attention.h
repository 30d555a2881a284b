// Scaled dot-product attention over packed rows, with its gradient, by the CPU's kernel.
#pragma once

#include "data/packed_batch.h"
#include "libtorch.h"
#include "model/attention.h"

namespace xformer {

/// What attention->forward(x, memory, memory, mask) gives, for rows without padding.
/// x (T, d_model), memory (S, d_model) -> (T, d_model)
torch::Tensor packed_attention(MultiHeadedAttention& attention, const torch::Tensor& x,
                               const torch::Tensor& memory,
                               const std::shared_ptr<const PackedAttentionMap>& map);

}  // namespace xformer
