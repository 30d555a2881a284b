// The forward pass of training on a CPU: the parts of the plain model, over rows without padding.
#pragma once

#include "data/packed_batch.h"
#include "libtorch.h"
#include "model/encoder_decoder.h"

namespace xformer {

/// What model->forward gives for the real positions of the same sentences, in their order.
/// -> (T, d_model)
torch::Tensor packed_forward(EncoderDecoder& model, const PackedBatch& batch);

}  // namespace xformer
