#include "model/embeddings.h"

#include <cmath>

namespace xformer {

EmbeddingsImpl::EmbeddingsImpl(int64_t d_model, int64_t vocabulary)
    : scale(std::sqrt(static_cast<double>(d_model))) {
  lut = register_module("lut", torch::nn::Embedding(vocabulary, d_model));
}

torch::Tensor EmbeddingsImpl::forward(const torch::Tensor& ids) {
  return lut(ids) * scale;
}

torch::Tensor positional_encoding(int64_t length, int64_t d_model) {
  auto position = torch::arange(length, torch::kFloat32).unsqueeze(1);
  auto frequency = torch::exp(torch::arange(0, d_model, 2, torch::kFloat32) *
                              (-std::log(10000.0) / static_cast<double>(d_model)));
  auto angle = position * frequency;                               // (length, d_model / 2)
  return torch::stack({angle.sin(), angle.cos()}, -1).flatten(1);  // (length, d_model)
}

PositionalEncodingImpl::PositionalEncodingImpl(int64_t d_model, double dropout) : d_model(d_model) {
  this->dropout = register_module("dropout", Dropout(dropout));
}

torch::Tensor PositionalEncodingImpl::forward(const torch::Tensor& x, int64_t first) {
  const int64_t needed = first + x.size(1);
  if (!table_.defined() || table_.size(0) < needed) {
    constexpr int64_t kFirstLength = 512;
    table_ = positional_encoding(std::max(kFirstLength, 2 * needed), d_model);
  }
  if (table_.device() != x.device()) table_ = table_.to(x.device());
  return dropout(x + table_.narrow(0, first, x.size(1)));
}

}  // namespace xformer
