#include "model/activation.h"

namespace xformer {

torch::Tensor activate(const torch::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return torch::relu(x);
    case Activation::kSwish:
      return torch::silu(x);
    case Activation::kGelu:
      return torch::gelu(x);
    case Activation::kGeluTanh:
      return torch::gelu(x, "tanh");
    case Activation::kGeluSigmoid:
      return x * torch::sigmoid(1.702 * x);
  }
  TORCH_CHECK(false, "no such activation");
}

}  // namespace xformer
