// The decoder stack (paper 3.1), whole sequences at once or one position at a time.
#pragma once

#include <vector>

#include "config/config.h"
#include "libtorch.h"
#include "model/attention.h"
#include "model/feed_forward.h"
#include "model/sublayer.h"

namespace xformer {

/// What one layer keeps between steps: its own past, and the memory it attends to.
struct DecoderLayerCache {
  AttentionCache self, source;
};

/// Masked self-attention, attention to the memory, feed-forward.
/// x (B, T, d_model), memory (B, S, d_model), src_mask (B, 1, S), tgt_mask (B, T, T) -> (B, T,
/// d_model)
struct DecoderLayerImpl : torch::nn::Module {
  explicit DecoderLayerImpl(const ModelConfig& config);

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& memory, const torch::Tensor& src_mask,
                        const torch::Tensor& tgt_mask);
  /// The next position alone, x (B, 1, d_model) -> (B, 1, d_model)
  torch::Tensor step(torch::Tensor x, DecoderLayerCache& cache, const torch::Tensor& src_mask);

  MultiHeadedAttention self_attn{nullptr}, src_attn{nullptr};
  PositionwiseFeedForward feed_forward{nullptr};
  SublayerConnection self_sublayer{nullptr}, src_sublayer{nullptr}, ff_sublayer{nullptr};
};
TORCH_MODULE(DecoderLayer);

/// Everything that decoding one batch of sentences keeps between steps; a row a hypothesis.
struct DecoderCache {
  std::vector<DecoderLayerCache> layers;
  torch::Tensor src_mask;  ///< (B, 1, S)
  int64_t position = 0;    ///< of the next piece

  /// Keeps the given rows, in the given order, possibly more than once. rows (R) int64
  void select(const torch::Tensor& rows);
};

/// N layers, and one more norm at the end. `config` has the decoder's sizes (of_decoder).
struct DecoderImpl : torch::nn::Module {
  explicit DecoderImpl(const ModelConfig& config);

  torch::Tensor forward(torch::Tensor x, const torch::Tensor& memory, const torch::Tensor& src_mask,
                        const torch::Tensor& tgt_mask);

  DecoderCache start(const torch::Tensor& memory, const torch::Tensor& src_mask);
  torch::Tensor step(torch::Tensor x, DecoderCache& cache);

  std::vector<DecoderLayer> layers;
  torch::nn::LayerNorm norm{nullptr};  ///< empty without a final norm
};
TORCH_MODULE(Decoder);

}  // namespace xformer
