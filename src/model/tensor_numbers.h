// Tensors as the CPU's kernels see them.
#pragma once

#include "kernels/bfloat16.h"
#include "libtorch.h"

namespace xformer {

/// Calls run(float()) or run(BFloat16()): what the numbers of `x`, float32 or bfloat16, are to a
/// kernel.
template <class Run>
auto with_number_of(const torch::Tensor& x, Run run) {
  if (x.scalar_type() == torch::kBFloat16) return run(BFloat16());
  TORCH_CHECK(x.scalar_type() == torch::kFloat32, "no kernel for ", x.scalar_type());
  return run(float());
}

/// The numbers of a contiguous tensor of the type that Number stands for.
template <class Number>
const Number* numbers(const torch::Tensor& x) {
  return static_cast<const Number*>(x.const_data_ptr());
}
template <class Number>
Number* mutable_numbers(const torch::Tensor& x) {
  return static_cast<Number*>(x.mutable_data_ptr());
}

/// `x`, in float32 unless it has a kernel as it is. Autocast may have left it in float16.
inline torch::Tensor for_kernel(const torch::Tensor& x) {
  return x.scalar_type() == torch::kBFloat16 ? x : x.to(torch::kFloat32);
}

}  // namespace xformer
