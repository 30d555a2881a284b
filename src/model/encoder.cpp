#include "model/encoder.h"

namespace xformer {

EncoderLayerImpl::EncoderLayerImpl(const ModelConfig& config) {
  self_attn = register_module(
      "self_attn", MultiHeadedAttention(config.h, config.d_model, config.attention_dropout_rate()));
  feed_forward = register_module("feed_forward", PositionwiseFeedForward(config));
  attn_sublayer = register_module("attn_sublayer", SublayerConnection(config));
  ff_sublayer = register_module("ff_sublayer", SublayerConnection(config));
}

torch::Tensor EncoderLayerImpl::forward(torch::Tensor x, const torch::Tensor& mask) {
  x = attn_sublayer->forward(x, [&](const auto& y) { return self_attn(y, y, y, mask); });
  return ff_sublayer->forward(x, feed_forward);
}

EncoderImpl::EncoderImpl(const ModelConfig& config) {
  for (int64_t i = 0; i < config.N; ++i) {
    layers.push_back(register_module("layer_" + std::to_string(i), EncoderLayer(config)));
  }
  if (config.has_final_norm()) norm = register_module("norm", make_layer_norm(config));
}

torch::Tensor EncoderImpl::forward(torch::Tensor x, const torch::Tensor& mask) {
  for (auto& layer : layers) x = layer(x, mask);
  return norm.is_empty() ? x : norm(x);
}

}  // namespace xformer
