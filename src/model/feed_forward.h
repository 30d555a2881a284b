// Position-wise feed-forward network (paper 3.3).
#pragma once

#include "libtorch.h"
#include "model/dropout.h"

namespace xformer {

/// max(0, x W_1 + b_1) W_2 + b_2, the same at every position. (B, T, d_model) -> (B, T, d_model)
struct PositionwiseFeedForwardImpl : torch::nn::Module {
  PositionwiseFeedForwardImpl(int64_t d_model, int64_t d_ff, double dropout);

  torch::Tensor forward(const torch::Tensor& x);

  torch::nn::Linear w_1{nullptr}, w_2{nullptr};
  Dropout dropout{nullptr};
};
TORCH_MODULE(PositionwiseFeedForward);

}  // namespace xformer
