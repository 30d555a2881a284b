// The tensors of a model, known from its configuration alone: other tools' names follow from these.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "model/encoder_decoder.h"

namespace xformer {

struct ModelTensor {
  std::string stack;   ///< "encoder" or "decoder"; empty: outside of both
  int64_t layer = -1;  ///< -1: outside of the layers
  std::string part;  ///< "self_attn.w_q", "ff_sublayer.norm", "norm", "tgt_embed.lut", "generator"
  std::string kind;  ///< "weight" or "bias"
  std::vector<int64_t> shape;
  std::optional<int64_t> residual;  ///< the dimension that runs along the residual stream

  /// As the module's parameter is called.
  std::string name() const;
};

/// Every parameter of EncoderDecoder(model, sizes), each once.
std::vector<ModelTensor> tensors_of(const ModelConfig& model, VocabularySizes sizes);

}  // namespace xformer
