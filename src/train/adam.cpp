#include "train/adam.h"

#include "runtime/error.h"

namespace xformer {
namespace {

const torch::Tensor& find_moment(const std::map<std::string, torch::Tensor>& tensors,
                                 const std::string& name, const torch::Tensor& like,
                                 const std::string& origin) {
  auto found = tensors.find(name);
  if (found == tensors.end()) {
    throw UserError(origin + ": has no " + name + ", so training cannot be resumed from it");
  }
  if (found->second.sizes() != like.sizes()) {
    throw UserError(origin + ": " + name + " has another shape than the model's parameter");
  }
  return found->second;
}

}  // namespace

NamedTensors named_parameters(const torch::nn::Module& module) {
  NamedTensors parameters;
  for (const auto& item : module.named_parameters()) {
    parameters.emplace_back(item.key(), item.value());
  }
  return parameters;
}

Adam::Adam(NamedTensors parameters) : parameters_(std::move(parameters)) {
  for (const auto& [name, parameter] : parameters_) {
    first_moments_.push_back(torch::zeros_like(parameter, torch::MemoryFormat::Contiguous));
    second_moments_.push_back(torch::zeros_like(parameter, torch::MemoryFormat::Contiguous));
    steps_.push_back(torch::zeros({}, parameter.options().requires_grad(false)));
  }
}

void Adam::step(double learning_rate) {
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> parameters, gradients, first, second, steps;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& parameter = parameters_[i].second;
    if (!parameter.grad().defined()) continue;
    parameters.push_back(parameter);
    gradients.push_back(parameter.grad());
    first.push_back(first_moments_[i]);
    second.push_back(second_moments_[i]);
    steps.push_back(steps_[i].add_(1));
  }
  if (parameters.empty()) return;
  torch::_fused_adam_(parameters, gradients, first, second, /*max_exp_avg_sqs=*/{}, steps,
                      learning_rate, kBeta1, kBeta2, /*weight_decay=*/0, kEpsilon,
                      /*amsgrad=*/false, /*maximize=*/false);
}

void Adam::save(std::map<std::string, torch::Tensor>& tensors) const {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& name = parameters_[i].first;
    tensors["first_moment." + name] = first_moments_[i];
    tensors["second_moment." + name] = second_moments_[i];
    tensors["steps." + name] = steps_[i];
  }
}

void Adam::load(const std::map<std::string, torch::Tensor>& tensors, const std::string& origin) {
  torch::NoGradGuard no_grad;
  auto take = [&](torch::Tensor& moment, const std::string& name) {
    moment.copy_(find_moment(tensors, name, moment, origin));
  };
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& name = parameters_[i].first;
    take(first_moments_[i], "first_moment." + name);
    take(second_moments_[i], "second_moment." + name);
    take(steps_[i], "steps." + name);
  }
}

}  // namespace xformer
