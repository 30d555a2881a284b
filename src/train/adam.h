// Adam (Kingma and Ba 2015) by torch's fused kernel, with the paper's constants (5.3).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libtorch.h"

namespace xformer {

/// Named parameters in a fixed order.
using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

/// Every parameter of a module once, under its registered name.
NamedTensors named_parameters(const torch::nn::Module& module);

class Adam {
 public:
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.98, kEpsilon = 1e-9;

  explicit Adam(NamedTensors parameters);

  /// One update with the gradients at hand; a parameter without one stays as it is.
  void step(double learning_rate);

  /// The moments, as "first_moment.NAME" and "second_moment.NAME", and the count of updates: what
  /// resume needs.
  void save(std::map<std::string, torch::Tensor>& tensors) const;
  /// Takes them back; throws UserError naming `origin` when one is missing or has another shape.
  void load(const std::map<std::string, torch::Tensor>& tensors, const std::string& origin);

 private:
  NamedTensors parameters_;
  std::vector<torch::Tensor> first_moments_, second_moments_, steps_;
};

}  // namespace xformer
