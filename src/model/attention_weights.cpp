#include "model/attention_weights.h"

namespace xformer {

AttentionWeights attention_weights(EncoderDecoder model, const torch::Tensor& src,
                                   const torch::Tensor& tgt, const torch::Tensor& src_mask,
                                   const torch::Tensor& tgt_mask) {
  torch::InferenceMode inference;
  AttentionWeights weights;

  auto x = model->position->forward(model->src_embed(src));
  for (auto& layer : model->encoder->layers) {
    x = layer->attn_sublayer->forward(x, [&](const auto& y) {
      weights.encoder_self.push_back(layer->self_attn->weights(y, y, src_mask));
      return layer->self_attn(y, y, y, src_mask);
    });
    x = layer->ff_sublayer->forward(x, layer->feed_forward);
  }
  const auto memory = model->encoder->norm.is_empty() ? x : model->encoder->norm(x);

  x = model->position->forward(model->tgt_embed(tgt));
  for (auto& layer : model->decoder->layers) {
    x = layer->self_sublayer->forward(x, [&](const auto& y) {
      weights.decoder_self.push_back(layer->self_attn->weights(y, y, tgt_mask));
      return layer->self_attn(y, y, y, tgt_mask);
    });
    x = layer->src_sublayer->forward(x, [&](const auto& y) {
      weights.decoder_source.push_back(layer->src_attn->weights(y, memory, src_mask));
      return layer->src_attn(y, memory, memory, src_mask);
    });
    x = layer->ff_sublayer->forward(x, layer->feed_forward);
  }
  return weights;
}

}  // namespace xformer
