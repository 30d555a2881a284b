#include "model/embeddings.h"

#include <cmath>

namespace xformer {

EmbeddingsImpl::EmbeddingsImpl(const ModelConfig& config, int64_t vocabulary)
    : scale(config.embedding_factor()) {
  lut = register_module("lut", torch::nn::Embedding(vocabulary, config.d_model));
}

torch::Tensor EmbeddingsImpl::forward(const torch::Tensor& ids) {
  return lut(ids) * scale;
}

torch::Tensor positional_encoding(int64_t length, int64_t d_model, Positions kind) {
  const int64_t pairs = d_model / 2;
  const auto steps = static_cast<double>(
      kind == Positions::kHalvesMarian ? std::max<int64_t>(1, pairs - 1) : pairs);
  // In float32 the angles of far positions would be off by more than a rounding.
  auto position = torch::arange(length, torch::kFloat64).unsqueeze(1);
  auto frequency = torch::exp(torch::arange(pairs, torch::kFloat64) * (-std::log(10000.0) / steps));
  auto angle = position * frequency;  // (length, d_model / 2)
  auto encoding = kind == Positions::kInterleaved
                      ? torch::stack({angle.sin(), angle.cos()}, -1).flatten(1)
                      : torch::cat({angle.sin(), angle.cos()}, 1);
  return encoding.to(torch::kFloat32);  // (length, d_model)
}

PositionalEncodingImpl::PositionalEncodingImpl(const ModelConfig& config)
    : d_model(config.d_model), kind(config.positions) {
  dropout = register_module("dropout", Dropout(config.dropout));
}

const torch::Tensor& PositionalEncodingImpl::table(int64_t length, torch::Device device) {
  if (!table_.defined() || table_.size(0) < length) {
    constexpr int64_t kFirstLength = 512;
    table_ = positional_encoding(std::max(kFirstLength, 2 * length), d_model, kind);
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
