// What a forward pass attends to: the pictures of The Annotated Transformer.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "model/encoder_decoder.h"

namespace xformer {

/// The weights of every attention, one tensor a layer.
struct AttentionWeights {
  std::vector<torch::Tensor> encoder_self;    ///< (B, h, S, S)
  std::vector<torch::Tensor> decoder_self;    ///< (B, h, T, T)
  std::vector<torch::Tensor> decoder_source;  ///< (B, h, T, S)
};

/// The weights of a forward pass over src (B, S) and tgt (B, T), masks as in model/masks.h. It
/// walks the layers as EncoderDecoder::forward does, and asks each attention for its weights on the
/// way, so that the model itself has no need to keep them. The model is in evaluation mode.
AttentionWeights attention_weights(EncoderDecoder model, const torch::Tensor& src,
                                   const torch::Tensor& tgt, const torch::Tensor& src_mask,
                                   const torch::Tensor& tgt_mask);

}  // namespace xformer
