// The label-smoothed loss straight from the decoder's output, without a row of the vocabulary's
// size for every token at once.
#pragma once

#include "libtorch.h"
#include "model/encoder_decoder.h"

namespace xformer {

/// label_smoothed_loss(generator(hidden), target, ...), computed in chunks of rows whose gradient
/// follows at once, so that memory stays at one chunk of logits. hidden (N, d_model), target (N)
/// int64 -> () Gradients flow to hidden and to the generator's weight and bias, once.
torch::Tensor generator_loss(const Generator& generator, const torch::Tensor& hidden,
                             const torch::Tensor& target, double smoothing, int64_t pad);

}  // namespace xformer
