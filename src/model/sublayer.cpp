#include "model/sublayer.h"

namespace xformer {

torch::nn::LayerNorm make_layer_norm(const ModelConfig& config) {
  return torch::nn::LayerNorm(
      torch::nn::LayerNormOptions({config.d_model}).eps(config.norm_epsilon));
}

SublayerConnectionImpl::SublayerConnectionImpl(const ModelConfig& config) : placement(config.norm) {
  norm = register_module("norm", make_layer_norm(config));
  dropout = register_module("dropout", Dropout(config.dropout));
}

}  // namespace xformer
