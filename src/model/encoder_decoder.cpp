#include "model/encoder_decoder.h"

#include <cmath>

namespace xformer {

GeneratorImpl::GeneratorImpl(const ModelConfig& config, int64_t vocabulary,
                             torch::Tensor tied_weight)
    : weight(std::move(tied_weight)) {
  if (!weight.defined()) {
    weight = register_parameter("weight", torch::empty({vocabulary, config.d_model}));
  }
  bias = torch::zeros({vocabulary});
  bias = config.generator_bias ? register_parameter("bias", bias) : register_buffer("bias", bias);
}

torch::Tensor GeneratorImpl::logits(const torch::Tensor& x) {
  return torch::linear(x, weight, bias);
}

EncoderDecoderImpl::EncoderDecoderImpl(const ModelConfig& config, VocabularySizes vocabulary)
    : config(config) {
  TORCH_CHECK(!config.ties_source() || vocabulary.source == vocabulary.target,
              "tied source and target embeddings need one vocabulary, not ", vocabulary.source,
              " and ", vocabulary.target, " pieces");

  tgt_embed = register_module("tgt_embed", Embeddings(config, vocabulary.target));
  src_embed = config.ties_source()
                  ? tgt_embed
                  : register_module("src_embed", Embeddings(config, vocabulary.source));
  position = register_module("position", PositionalEncoding(config));
  encoder = register_module("encoder", Encoder(config));
  decoder = register_module("decoder", Decoder(config.of_decoder()));
  const auto tied_weight = config.ties_output() ? tgt_embed->lut->weight : torch::Tensor();
  generator = register_module("generator", Generator(config, vocabulary.target, tied_weight));
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
