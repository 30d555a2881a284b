#include "model/feed_forward.h"

#include "model/activation.h"

namespace xformer {

PositionwiseFeedForwardImpl::PositionwiseFeedForwardImpl(const ModelConfig& config)
    : activation(config.activation) {
  w_1 = register_module("w_1", torch::nn::Linear(config.d_model, config.d_ff));
  w_2 = register_module("w_2", torch::nn::Linear(config.d_ff, config.d_model));
  dropout = register_module("dropout", Dropout(config.dropout));
}

torch::Tensor PositionwiseFeedForwardImpl::forward(const torch::Tensor& x) {
  if (activation == Activation::kRelu) return w_2(dropout->relu(w_1(x)));
  return w_2(dropout(activate(w_1(x), activation)));
}

}  // namespace xformer
