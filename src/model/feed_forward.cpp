#include "model/feed_forward.h"

namespace xformer {

PositionwiseFeedForwardImpl::PositionwiseFeedForwardImpl(int64_t d_model, int64_t d_ff,
                                                         double dropout) {
  w_1 = register_module("w_1", torch::nn::Linear(d_model, d_ff));
  w_2 = register_module("w_2", torch::nn::Linear(d_ff, d_model));
  this->dropout = register_module("dropout", Dropout(dropout));
}

torch::Tensor PositionwiseFeedForwardImpl::forward(const torch::Tensor& x) {
  return w_2(dropout->relu(w_1(x)));
}

}  // namespace xformer
