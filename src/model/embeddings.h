// Embeddings and positional encoding (paper 3.4 and 3.5).
#pragma once

#include "config/config.h"
#include "libtorch.h"
#include "model/dropout.h"

namespace xformer {

/// Rows of a learned table, times sqrt(d_model) (paper 3.4) or model.embedding_scale. ids (B, T) ->
/// (B, T, d_model)
struct EmbeddingsImpl : torch::nn::Module {
  EmbeddingsImpl(const ModelConfig& config, int64_t vocabulary);

  torch::Tensor forward(const torch::Tensor& ids);

  const double scale;
  torch::nn::Embedding lut{nullptr};
};
TORCH_MODULE(Embeddings);

/// Sines at even and cosines at odd places, wavelengths from 2 pi to 10000 * 2 pi (paper 3.5). With
/// "halves" all sines come before all cosines, as in transformers' MarianMTModel; "halves_marian"
/// has Marian's wavelengths besides, of which the last is 10000 * 2 pi itself. (length, d_model)
torch::Tensor positional_encoding(int64_t length, int64_t d_model,
                                  Positions kind = Positions::kInterleaved);

/// Adds the encoding of positions first, first + 1, ... and applies dropout. (B, T, d_model) -> the
/// same The table grows with the longest input seen, so there is no longest input.
struct PositionalEncodingImpl : torch::nn::Module {
  explicit PositionalEncodingImpl(const ModelConfig& config);

  torch::Tensor forward(const torch::Tensor& x, int64_t first = 0);
  /// The same for rows that each have a position of their own. x (R, d_model), positions (R) int64
  /// -> (R, d_model)
  torch::Tensor at(const torch::Tensor& x, const torch::Tensor& positions);

  const int64_t d_model;
  const Positions kind;
  Dropout dropout{nullptr};

 private:
  /// The encoding of at least the first `length` positions.
  const torch::Tensor& table(int64_t length, torch::Device device);

  torch::Tensor table_;
};
TORCH_MODULE(PositionalEncoding);

}  // namespace xformer
