// Position-wise feed-forward network (paper 3.3).
#pragma once

#include "config/config.h"
#include "libtorch.h"
#include "model/dropout.h"

namespace xformer {

/// max(0, x W_1 + b_1) W_2 + b_2, the same at every position, or with another activation in the
/// place of max(0, ...). (B, T, d_model) -> (B, T, d_model)
struct PositionwiseFeedForwardImpl : torch::nn::Module {
  explicit PositionwiseFeedForwardImpl(const ModelConfig& config);

  torch::Tensor forward(const torch::Tensor& x);

  const Activation activation;
  torch::nn::Linear w_1{nullptr}, w_2{nullptr};
  Dropout dropout{nullptr};
};
TORCH_MODULE(PositionwiseFeedForward);

}  // namespace xformer
