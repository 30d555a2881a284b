#include "model/encoder_decoder.h"

#include <cmath>

namespace xformer {

GeneratorImpl::GeneratorImpl(int64_t d_model, int64_t vocabulary, torch::Tensor tied_weight)
    : weight(std::move(tied_weight)) {
  if (!weight.defined()) {
    weight = register_parameter("weight", torch::empty({vocabulary, d_model}));
  }
  bias = register_parameter("bias", torch::zeros({vocabulary}));
}

torch::Tensor GeneratorImpl::logits(const torch::Tensor& x) {
  return torch::linear(x, weight, bias);
}

EncoderDecoderImpl::EncoderDecoderImpl(const ModelConfig& config, VocabularySizes vocabulary)
    : config(config) {
  const bool tied_source = config.tie_embeddings == TieEmbeddings::kAll;
  const bool tied_output = config.tie_embeddings != TieEmbeddings::kNone;
  TORCH_CHECK(!tied_source || vocabulary.source == vocabulary.target,
              "tied source and target embeddings need one vocabulary, not ", vocabulary.source,
              " and ", vocabulary.target, " pieces");

  tgt_embed = register_module("tgt_embed", Embeddings(config.d_model, vocabulary.target));
  src_embed = tied_source
                  ? tgt_embed
                  : register_module("src_embed", Embeddings(config.d_model, vocabulary.source));
  position = register_module("position", PositionalEncoding(config.d_model, config.dropout));
  encoder = register_module("encoder", Encoder(config));
  decoder = register_module("decoder", Decoder(config));
  generator = register_module("generator",
                              Generator(config.d_model, vocabulary.target,
                                        tied_output ? tgt_embed->lut->weight : torch::Tensor()));
}

torch::Tensor EncoderDecoderImpl::forward(const torch::Tensor& src, const torch::Tensor& tgt,
                                          const torch::Tensor& src_mask,
                                          const torch::Tensor& tgt_mask) {
  return decode(encode(src, src_mask), src_mask, tgt, tgt_mask);
}

torch::Tensor EncoderDecoderImpl::encode(const torch::Tensor& src, const torch::Tensor& src_mask) {
  return encoder(position(src_embed(src)), src_mask);
}

torch::Tensor EncoderDecoderImpl::decode(const torch::Tensor& memory, const torch::Tensor& src_mask,
                                         const torch::Tensor& tgt, const torch::Tensor& tgt_mask) {
  return decoder(position(tgt_embed(tgt)), memory, src_mask, tgt_mask);
}

DecoderCache EncoderDecoderImpl::start_decoding(const torch::Tensor& memory,
                                                const torch::Tensor& src_mask) {
  return decoder->start(memory, src_mask);
}

torch::Tensor EncoderDecoderImpl::decode_step(const torch::Tensor& ids, DecoderCache& cache) {
  auto x = position->forward(tgt_embed(ids.unsqueeze(1)), cache.position);  // (B, 1, d_model)
  return decoder->step(x, cache).squeeze(1);                                // (B, d_model)
}

int64_t parameter_count(const EncoderDecoder& model) {
  int64_t count = 0;
  for (const auto& parameter : model->parameters()) count += parameter.numel();
  return count;
}

EncoderDecoder make_model(const ModelConfig& config, VocabularySizes vocabulary, uint64_t seed) {
  torch::manual_seed(seed);
  EncoderDecoder model(config, vocabulary);
  torch::NoGradGuard no_grad;
  for (auto& item : model->named_parameters()) {
    const bool embedding = item.key().ends_with("lut.weight");
    if (embedding) {
      torch::nn::init::normal_(item.value(), 0, std::pow(config.d_model, -0.5));
    } else if (item.value().dim() > 1) {
      torch::nn::init::xavier_uniform_(item.value());
    }
  }
  return model;
}

}  // namespace xformer
