#include "train/packed_model.h"

#include "kernels/dropout_stream.h"
#include "train/packed_attention.h"

namespace xformer {
namespace {

torch::Tensor last_norm(torch::nn::LayerNorm& norm, const torch::Tensor& x) {
  return norm.is_empty() ? x : norm(x);
}

torch::Tensor encode(EncoderDecoder& model, const PackedBatch& batch) {
  set_first_dropout_row(batch.src_first);
  auto x = model->position->at(model->src_embed(batch.src), batch.src_position);
  for (auto& layer : model->encoder->layers) {
    x = layer->attn_sublayer->forward(x, [&](const auto& y) {
      return packed_attention(layer->self_attn, y, y, batch.src_to_src);
    });
    x = layer->ff_sublayer->forward(x, layer->feed_forward);
  }
  return last_norm(model->encoder->norm, x);
}

torch::Tensor decode(EncoderDecoder& model, const torch::Tensor& memory, const PackedBatch& batch) {
  set_first_dropout_row(batch.tgt_first);
  auto x = model->position->at(model->tgt_embed(batch.tgt), batch.tgt_position);
  for (auto& layer : model->decoder->layers) {
    x = layer->self_sublayer->forward(x, [&](const auto& y) {
      return packed_attention(layer->self_attn, y, y, batch.tgt_to_tgt);
    });
    x = layer->src_sublayer->forward(x, [&](const auto& y) {
      return packed_attention(layer->src_attn, y, memory, batch.tgt_to_src);
    });
    x = layer->ff_sublayer->forward(x, layer->feed_forward);
  }
  return last_norm(model->decoder->norm, x);
}

}  // namespace

torch::Tensor packed_forward(EncoderDecoder& model, const PackedBatch& batch) {
  return decode(model, encode(model, batch), batch);
}

}  // namespace xformer
