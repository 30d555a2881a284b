// Multi-head attention (paper 3.2).
#pragma once

#include "libtorch.h"

namespace xformer {

/// Keys and values that later steps of decoding use again. (B, h, T, d_k) each, undefined before
/// the first step
struct AttentionCache {
  torch::Tensor key, value;

  /// Keeps the given rows, in the given order. rows (R) int64
  void select(const torch::Tensor& rows);
};

/// h attentions of width d_k = d_model / h side by side (paper 3.2.2).
/// query (B, T, d_model), key and value (B, S, d_model) -> (B, T, d_model)
/// mask  (B or 1, T or 1, S) bool, true = may attend; every head uses the same one.
struct MultiHeadedAttentionImpl : torch::nn::Module {
  MultiHeadedAttentionImpl(int64_t h, int64_t d_model, double dropout);

  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key,
                        const torch::Tensor& value, const torch::Tensor& mask);

  /// softmax(Q K^T / sqrt(d_k)) of every head, for pictures and alignments. -> (B, h, T, S)
  torch::Tensor weights(const torch::Tensor& query, const torch::Tensor& key,
                        const torch::Tensor& mask);

  /// Self-attention of one new position, x (B, 1, d_model), to itself and all cached ones; appends
  /// it to the cache.
  torch::Tensor extend(const torch::Tensor& x, AttentionCache& cache);

  /// The cache that lets `attend_to` answer queries about a fixed memory (B, S, d_model).
  AttentionCache remember(const torch::Tensor& memory);
  torch::Tensor attend_to(const AttentionCache& cache, const torch::Tensor& query,
                          const torch::Tensor& mask);

  const int64_t h, d_k;
  const double dropout;
  torch::nn::Linear w_q{nullptr}, w_k{nullptr}, w_v{nullptr}, w_o{nullptr};

 private:
  torch::Tensor split_heads(const torch::Tensor& x) const;
  torch::Tensor merge_heads(const torch::Tensor& context);
};
TORCH_MODULE(MultiHeadedAttention);

}  // namespace xformer
