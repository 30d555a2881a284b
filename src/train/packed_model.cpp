#include "train/packed_model.h"

#include "kernels/dropout_stream.h"
#include "train/packed_attention.h"
#include "train/residual_stream.h"

namespace xformer {
namespace {

torch::Tensor encode(EncoderDecoder& model, const PackedBatch& batch) {
  set_first_dropout_row(batch.src_first);
  ResidualStream stream(model->position->at(model->src_embed(batch.src), batch.src_position));
  for (auto& layer : model->encoder->layers) {
    stream.connect(layer->attn_sublayer, [&](const auto& y) {
      return packed_attention(layer->self_attn, y, y, batch.src_to_src);
    });
    stream.connect(layer->ff_sublayer, layer->feed_forward);
  }
  return stream.finish(model->encoder->norm);
}

torch::Tensor decode(EncoderDecoder& model, const torch::Tensor& memory, const PackedBatch& batch) {
  set_first_dropout_row(batch.tgt_first);
  ResidualStream stream(model->position->at(model->tgt_embed(batch.tgt), batch.tgt_position));
  for (auto& layer : model->decoder->layers) {
    stream.connect(layer->self_sublayer, [&](const auto& y) {
      return packed_attention(layer->self_attn, y, y, batch.tgt_to_tgt);
    });
    stream.connect(layer->src_sublayer, [&](const auto& y) {
      return packed_attention(layer->src_attn, y, memory, batch.tgt_to_src);
    });
    stream.connect(layer->ff_sublayer, layer->feed_forward);
  }
  return stream.finish(model->decoder->norm);
}

}  // namespace

torch::Tensor packed_forward(EncoderDecoder& model, const PackedBatch& batch) {
  return decode(model, encode(model, batch), batch);
}

}  // namespace xformer
