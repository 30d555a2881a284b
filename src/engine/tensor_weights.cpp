#include "engine/tensor_weights.h"

namespace xformer {

ModelWeights weights_of(std::map<std::string, torch::Tensor> tensors, std::string origin) {
  std::map<std::string, WeightPlace> places;
  for (auto& [name, tensor] : tensors) {
    tensor = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    places[name] = {.shape = tensor.sizes().vec(), .values = tensor.const_data_ptr<float>()};
  }
  auto owner = std::make_shared<std::map<std::string, torch::Tensor>>(std::move(tensors));
  return ModelWeights(std::move(places), std::move(origin), std::move(owner));
}

}  // namespace xformer
