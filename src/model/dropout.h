// Dropout (paper 5.4), alone or fused with the operation beside it.
#pragma once

#include "libtorch.h"

namespace xformer {

/// In training, each element is set to 0 with probability p and the others are scaled by 1 / (1 -
/// p); in evaluation nothing happens. On a CPU, but for double, it draws its own numbers, the next
/// of the thread's stream (kernels/dropout_stream.h) at each call, so that results do not depend on
/// how the work is spread, and gives float32, or bfloat16 for bfloat16 that is not added; elsewhere
/// it is torch's.
struct DropoutImpl : torch::nn::Module {
  explicit DropoutImpl(double p);

  /// dropout(x)
  torch::Tensor forward(const torch::Tensor& x);
  /// residual + dropout(x)
  torch::Tensor add(const torch::Tensor& x, const torch::Tensor& residual);
  /// dropout(max(0, x))
  torch::Tensor relu(const torch::Tensor& x);

  const double p;

 private:
  bool active() const { return is_training() && p > 0; }
};
TORCH_MODULE(Dropout);

}  // namespace xformer
