#include "model/decoder.h"

namespace xformer {

DecoderLayerImpl::DecoderLayerImpl(const ModelConfig& config) {
  const double attention_dropout = config.attention_dropout_rate();
  self_attn = register_module("self_attn",
                              MultiHeadedAttention(config.h, config.d_model, attention_dropout));
  src_attn = register_module("src_attn",
                             MultiHeadedAttention(config.h, config.d_model, attention_dropout));
  feed_forward = register_module("feed_forward", PositionwiseFeedForward(config));
  self_sublayer = register_module("self_sublayer", SublayerConnection(config));
  src_sublayer = register_module("src_sublayer", SublayerConnection(config));
  ff_sublayer = register_module("ff_sublayer", SublayerConnection(config));
}

torch::Tensor DecoderLayerImpl::forward(torch::Tensor x, const torch::Tensor& memory,
                                        const torch::Tensor& src_mask,
                                        const torch::Tensor& tgt_mask) {
  const auto& m = memory;
  x = self_sublayer->forward(x, [&](const auto& y) { return self_attn(y, y, y, tgt_mask); });
  x = src_sublayer->forward(x, [&](const auto& y) { return src_attn(y, m, m, src_mask); });
  return ff_sublayer->forward(x, feed_forward);
}

torch::Tensor DecoderLayerImpl::step(torch::Tensor x, DecoderLayerCache& cache,
                                     const torch::Tensor& src_mask) {
  x = self_sublayer->forward(x, [&](const auto& y) { return self_attn->extend(y, cache.self); });
  x = src_sublayer->forward(
      x, [&](const auto& y) { return src_attn->attend_to(cache.source, y, src_mask); });
  return ff_sublayer->forward(x, feed_forward);
}

void DecoderCache::select(const torch::Tensor& rows) {
  for (auto& layer : layers) {
    if (layer.self.key.defined()) layer.self.select(rows);
    layer.source.select(rows);
  }
  src_mask = src_mask.index_select(0, rows);
}

DecoderImpl::DecoderImpl(const ModelConfig& config) {
  for (int64_t i = 0; i < config.N; ++i) {
    layers.push_back(register_module("layer_" + std::to_string(i), DecoderLayer(config)));
  }
  if (config.has_final_norm()) norm = register_module("norm", make_layer_norm(config));
}

torch::Tensor DecoderImpl::forward(torch::Tensor x, const torch::Tensor& memory,
                                   const torch::Tensor& src_mask, const torch::Tensor& tgt_mask) {
  for (auto& layer : layers) x = layer(x, memory, src_mask, tgt_mask);
  return norm.is_empty() ? x : norm(x);
}

DecoderCache DecoderImpl::start(const torch::Tensor& memory, const torch::Tensor& src_mask) {
  DecoderCache cache{.layers = {}, .src_mask = src_mask};
  for (auto& layer : layers) {
    cache.layers.push_back({.self = {}, .source = layer->src_attn->remember(memory)});
  }
  return cache;
}

torch::Tensor DecoderImpl::step(torch::Tensor x, DecoderCache& cache) {
  for (size_t i = 0; i < layers.size(); ++i) {
    x = layers[i]->step(x, cache.layers[i], cache.src_mask);
  }
  ++cache.position;
  return norm.is_empty() ? x : norm(x);
}

}  // namespace xformer
