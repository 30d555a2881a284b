#include "formats/average_weights.h"

#include "formats/safetensors.h"
#include "formats/stored_model.h"

namespace xformer {

void average_weights(const std::vector<std::filesystem::path>& files, const std::string& prefix,
                     const EncoderDecoder& model) {
  const torch::NoGradGuard no_grad;
  const auto parameters = model->parameters();
  std::vector<torch::Tensor> sums;
  for (const auto& parameter : parameters) {
    sums.push_back(torch::zeros(parameter.sizes(), torch::kFloat64));
  }
  for (const auto& path : files) {
    copy_weights(map_safetensors(path).tensors, prefix, model, path.string());
    for (size_t i = 0; i < sums.size(); ++i) sums[i].add_(parameters[i].to(torch::kCPU));
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    parameters[i].copy_(sums[i].div_(static_cast<double>(files.size())));
  }
}

}  // namespace xformer
