// The engine's weights from those of a plain model.
#pragma once

#include <map>
#include <string>

#include "engine/model_weights.h"
#include "libtorch.h"

namespace xformer {

/// Nothing is copied that is float32, contiguous and on the CPU.
inline ModelWeights weights_of(std::map<std::string, torch::Tensor> tensors, std::string origin) {
  std::map<std::string, WeightPlace> places;
  for (auto& [name, tensor] : tensors) {
    tensor = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    places[name] = {.shape = tensor.sizes().vec(), .values = tensor.const_data_ptr<float>()};
  }
  auto owner = std::make_shared<std::map<std::string, torch::Tensor>>(std::move(tensors));
  return ModelWeights(std::move(places), std::move(origin), std::move(owner));
}

}  // namespace xformer
