// The engine's weights from tensors: those of a mapped file, or of the plain model.
#pragma once

#include <map>
#include <string>

#include "engine/model_weights.h"
#include "libtorch.h"

namespace xformer {

/// Nothing is copied that is float32, contiguous and on the CPU.
ModelWeights weights_of(std::map<std::string, torch::Tensor> tensors, std::string origin);

}  // namespace xformer
