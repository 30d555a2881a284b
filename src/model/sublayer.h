// The residual connection around every sublayer (paper 3.1).
#pragma once

#include "config/config.h"
#include "libtorch.h"
#include "model/dropout.h"

namespace xformer {

/// Layer normalisation over d_model with torch's fused kernel.
torch::nn::LayerNorm make_layer_norm(const ModelConfig& config);

/// x + dropout(sublayer(norm(x))), as the Annotated Transformer has it; with norm "post" the
/// paper's norm(x + dropout(sublayer(x))). (B, T, d_model) -> (B, T, d_model)
struct SublayerConnectionImpl : torch::nn::Module {
  explicit SublayerConnectionImpl(const ModelConfig& config);

  template <class Sublayer>
  torch::Tensor forward(const torch::Tensor& x, Sublayer&& sublayer) {
    if (placement == NormPlacement::kPre) return dropout->add(sublayer(norm(x)), x);
    return norm(dropout->add(sublayer(x), x));
  }

  const NormPlacement placement;
  torch::nn::LayerNorm norm{nullptr};
  Dropout dropout{nullptr};
};
TORCH_MODULE(SublayerConnection);

}  // namespace xformer
