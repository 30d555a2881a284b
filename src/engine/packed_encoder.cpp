#include "engine/packed_encoder.h"

namespace xformer {

const float* PackedEncoder::encode(const std::vector<std::vector<int32_t>>& sources) {
  sentences_ = {};
  for (const auto& source : sources) {
    sentences_.begin.push_back(sentences_.rows() + std::ssize(source) + 1);
  }
  const int64_t rows = sentences_.rows(), d = model_.config.d_model;
  float* x = x_.reserve(rows * d);
  float* next = x;
  for (const auto& source : sources) {
    for (int64_t i = 0; i <= std::ssize(source); ++i, next += d) {
      const int32_t id = i < std::ssize(source) ? source[i] : model_.tokens.eos;
      layers_.embed(model_.source_embeddings, id, i, next);
    }
  }
  for (const auto& layer : model_.encoder) {
    self_attention(layer.self, x);
    layers_.feed_forward(layer.feed_forward, x, rows);
  }
  if (model_.config.has_final_norm()) layers_.normalize(model_.encoder_norm, x, rows, x);
  return x;
}

void PackedEncoder::self_attention(const PackedAttention& layer, float* x) {
  const int64_t rows = sentences_.rows(), d = model_.config.d_model;
  layers_.sublayer(layer.norm, x, rows, [&](const InputRows& input) {
    float* query = query_.reserve(rows * d);
    float* context = context_.reserve(rows * d);
    layer.query.apply(input, {.values = query, .stride = d});
    layers_.write_keys(layer, input, key_value_);
    for (int64_t sentence = 0; sentence < sentences_.count(); ++sentence) {
      const int64_t begin = sentences_.begin[sentence], end = sentences_.begin[sentence + 1];
      keys_.clear();
      for (int64_t row = begin; row < end; ++row) keys_.push_back(key_value_.row(row));
      for (int64_t row = begin; row < end; ++row) {
        layers_.attend(layer.heads, query + row * d, keys_, context + row * d);
      }
    }
    layers_.add_output(layer.output, context, rows, x);
  });
}

}  // namespace xformer
