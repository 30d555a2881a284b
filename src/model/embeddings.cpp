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

const torch::Tensor& PositionalEncodingImpl::table(int64_t length, torch::Device device) {
  if (!table_.defined() || table_.size(0) < length) {
    constexpr int64_t kFirstLength = 512;
    table_ = positional_encoding(std::max(kFirstLength, 2 * length), d_model);
  }
  if (table_.device() != device) table_ = table_.to(device);
  return table_;
}

torch::Tensor PositionalEncodingImpl::forward(const torch::Tensor& x, int64_t first) {
  const int64_t length = x.size(1);
  return dropout(x + table(first + length, x.device()).narrow(0, first, length));
}

torch::Tensor PositionalEncodingImpl::at(const torch::Tensor& x, const torch::Tensor& positions) {
  const int64_t length = positions.max().item<int64_t>() + 1;
  return dropout(x + table(length, x.device()).index_select(0, positions));
}

}  // namespace xformer
