#include "model/attention.h"

#include <cmath>

namespace xformer {

void AttentionCache::select(const torch::Tensor& rows) {
  key = key.index_select(0, rows);
  value = value.index_select(0, rows);
}

MultiHeadedAttentionImpl::MultiHeadedAttentionImpl(int64_t h, int64_t d_model, double dropout)
    : h(h), d_k(d_model / h), dropout(dropout) {
  TORCH_CHECK(d_model % h == 0, "d_model ", d_model, " is not a multiple of h ", h);
  w_q = register_module("w_q", torch::nn::Linear(d_model, d_model));
  w_k = register_module("w_k", torch::nn::Linear(d_model, d_model));
  w_v = register_module("w_v", torch::nn::Linear(d_model, d_model));
  w_o = register_module("w_o", torch::nn::Linear(d_model, d_model));
}

torch::Tensor MultiHeadedAttentionImpl::split_heads(const torch::Tensor& x) const {
  return x.unflatten(-1, {h, d_k}).transpose(1, 2);  // (B, h, T, d_k)
}

torch::Tensor MultiHeadedAttentionImpl::merge_heads(const torch::Tensor& context) {
  return w_o(context.transpose(1, 2).flatten(2));  // (B, T, d_model)
}

torch::Tensor MultiHeadedAttentionImpl::forward(const torch::Tensor& query,
                                                const torch::Tensor& key,
                                                const torch::Tensor& value,
                                                const torch::Tensor& mask) {
  return merge_heads(torch::scaled_dot_product_attention(  // (B, h, T, d_k)
      split_heads(w_q(query)), split_heads(w_k(key)), split_heads(w_v(value)),
      /*attn_mask=*/mask.unsqueeze(1), /*dropout_p=*/is_training() ? dropout : 0.0));
}

torch::Tensor MultiHeadedAttentionImpl::weights(const torch::Tensor& query,
                                                const torch::Tensor& key,
                                                const torch::Tensor& mask) {
  auto scores = torch::matmul(split_heads(w_q(query)), split_heads(w_k(key)).transpose(-2, -1)) /
                std::sqrt(static_cast<double>(d_k));  // (B, h, T, S)
  return scores.masked_fill(~mask.unsqueeze(1), -std::numeric_limits<double>::infinity())
      .softmax(-1);
}

torch::Tensor MultiHeadedAttentionImpl::extend(const torch::Tensor& x, AttentionCache& cache) {
  auto key = split_heads(w_k(x)), value = split_heads(w_v(x));  // (B, h, 1, d_k)
  cache.key = cache.key.defined() ? torch::cat({cache.key, key}, 2) : key;
  cache.value = cache.value.defined() ? torch::cat({cache.value, value}, 2) : value;
  return merge_heads(
      torch::scaled_dot_product_attention(split_heads(w_q(x)), cache.key, cache.value));
}

AttentionCache MultiHeadedAttentionImpl::remember(const torch::Tensor& memory) {
  return {split_heads(w_k(memory)), split_heads(w_v(memory))};
}

torch::Tensor MultiHeadedAttentionImpl::attend_to(const AttentionCache& cache,
                                                  const torch::Tensor& query,
                                                  const torch::Tensor& mask) {
  return merge_heads(torch::scaled_dot_product_attention(split_heads(w_q(query)), cache.key,
                                                         cache.value, mask.unsqueeze(1)));
}

}  // namespace xformer
