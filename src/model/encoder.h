// The encoder stack (paper 3.1).
#pragma once

#include <vector>

#include "config/config.h"
#include "libtorch.h"
#include "model/attention.h"
#include "model/feed_forward.h"
#include "model/sublayer.h"

namespace xformer {

/// Self-attention, then feed-forward. x (B, S, d_model), mask (B, 1, S) -> (B, S, d_model)
struct EncoderLayerImpl : torch::nn::Module {
  explicit EncoderLayerImpl(const ModelConfig& config);

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& mask);

  MultiHeadedAttention self_attn{nullptr};
  PositionwiseFeedForward feed_forward{nullptr};
  SublayerConnection attn_sublayer{nullptr}, ff_sublayer{nullptr};
};
TORCH_MODULE(EncoderLayer);

/// N layers, and one more norm at the end. x (B, S, d_model) -> memory (B, S, d_model)
struct EncoderImpl : torch::nn::Module {
  explicit EncoderImpl(const ModelConfig& config);

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& mask);

  std::vector<EncoderLayer> layers;
  torch::nn::LayerNorm norm{nullptr};  ///< empty without a final norm
};
TORCH_MODULE(Encoder);

}  // namespace xformer
