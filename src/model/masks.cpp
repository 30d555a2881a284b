#include "model/masks.h"

namespace xformer {

torch::Tensor subsequent_mask(int64_t size, torch::Device device) {
  return torch::ones({1, size, size}, torch::TensorOptions(torch::kBool).device(device)).tril();
}

torch::Tensor source_mask(const torch::Tensor& ids, int64_t pad) {
  return (ids != pad).unsqueeze(-2);
}

torch::Tensor target_mask(const torch::Tensor& ids, int64_t pad) {
  return (ids != pad).unsqueeze(-2) & subsequent_mask(ids.size(-1), ids.device());
}

}  // namespace xformer
