// The whole Transformer (paper figure 1).
#pragma once

#include "config/config.h"
#include "libtorch.h"
#include "model/decoder.h"
#include "model/embeddings.h"
#include "model/encoder.h"

namespace xformer {

/// Linear projection to the vocabulary, then log-softmax. (..., d_model) -> (..., V)
/// Tied, it reads the rows of an embedding table instead of a matrix of its own (paper 3.4).
struct GeneratorImpl : torch::nn::Module {
  GeneratorImpl(const ModelConfig& config, int64_t vocabulary, torch::Tensor tied_weight = {});

  /// What softmax turns into probabilities. (..., d_model) -> (..., V)
  torch::Tensor logits(const torch::Tensor& x);
  torch::Tensor forward(const torch::Tensor& x) { return logits(x).log_softmax(-1); }

  torch::Tensor weight, bias;  ///< without generator_bias the bias is 0 and no parameter
};
TORCH_MODULE(Generator);

/// Pieces that the vocabularies hold.
struct VocabularySizes {
  int64_t source = 0, target = 0;
};

/// Encoder and decoder with their embeddings, and the generator.
struct EncoderDecoderImpl : torch::nn::Module {
  EncoderDecoderImpl(const ModelConfig& config, VocabularySizes vocabulary);

  /// What the generator turns into words. src (B, S), tgt (B, T) ids, masks as in model/masks.h ->
  /// (B, T, d_model)
  torch::Tensor forward(const torch::Tensor& src, const torch::Tensor& tgt,
                        const torch::Tensor& src_mask, const torch::Tensor& tgt_mask);

  /// -> memory (B, S, d_model)
  torch::Tensor encode(const torch::Tensor& src, const torch::Tensor& src_mask);
  torch::Tensor decode(const torch::Tensor& memory, const torch::Tensor& src_mask,
                       const torch::Tensor& tgt, const torch::Tensor& tgt_mask);

  /// Decoding piece by piece: start once, then step with the last piece of every row, ids (B) ->
  /// (B, d_model)
  DecoderCache start_decoding(const torch::Tensor& memory, const torch::Tensor& src_mask);
  torch::Tensor decode_step(const torch::Tensor& ids, DecoderCache& cache);

  const ModelConfig config;
  Embeddings src_embed{nullptr}, tgt_embed{nullptr};  ///< the same one when they are tied
  PositionalEncoding position{nullptr};
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
  Generator generator{nullptr};
};
TORCH_MODULE(EncoderDecoder);

/// Numbers that training changes.
int64_t parameter_count(const EncoderDecoder& model);

/// A model with fresh weights drawn from `seed`: Xavier for matrices (Glorot and Bengio 2010),
/// deviation d_model^-0.5 for embeddings, so that their scaled rows start with deviation 1.
EncoderDecoder make_model(const ModelConfig& config, VocabularySizes vocabulary, uint64_t seed);

}  // namespace xformer
