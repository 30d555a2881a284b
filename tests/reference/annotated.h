// A tiny Annotated Transformer: weights, inputs and results that its own PyTorch code computed.
#pragma once

#include <map>
#include <string>

#include "libtorch.h"
#include "model/encoder_decoder.h"

namespace xformer {

/// annotated_tiny.safetensors holds what the Annotated Transformer's own code computed;
/// annotated_training.safetensors, which scripts/export_annotated_training.py wrote, what depends
/// on attention dropout being off.
class Annotated {
 public:
  explicit Annotated(const std::string& file = "annotated_tiny.safetensors");

  const torch::Tensor& at(const std::string& name) const;
  ModelConfig config() const;

  /// The recorded tensor that belongs to our parameter `name`, of a group such as "weights/" or
  /// "grad/".
  torch::Tensor of_parameter(const std::string& group, const std::string& name) const;
  /// A model with the recorded weights before training.
  EncoderDecoder model() const;

  /// The Annotated Transformer divides by the deviation with n - 1 in it, torch's layer norm by the
  /// one with n: a gain of ours is theirs times this factor.
  static double gain_factor();
  static bool is_gain(const std::string& name);

 private:
  std::map<std::string, torch::Tensor> tensors_;
};

/// Largest absolute difference.
double max_difference(const torch::Tensor& a, const torch::Tensor& b);

}  // namespace xformer
