// How far two tensors are apart.
#pragma once

#include "libtorch.h"

namespace xformer {

/// The largest distance between two elements of the same place.
inline double difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace xformer
