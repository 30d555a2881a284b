#include "formats/stored_model.h"

#include "formats/safetensors.h"
#include "runtime/error.h"
#include "storage/model_folder.h"

namespace xformer {
namespace {

std::string shape_text(const torch::Tensor& tensor) {
  return c10::str(tensor.sizes());
}

}  // namespace

VocabularySizes sizes_of(const Vocabulary& vocabulary) {
  return {.source = vocabulary.source.size(), .target = vocabulary.target.size()};
}

void write_weights(const std::filesystem::path& folder, const EncoderDecoder& model,
                   const Vocabulary& vocabulary) {
  TensorFile file;
  for (const auto& item : model->named_parameters()) file.tensors[item.key()] = item.value();
  file.metadata = metadata_for(vocabulary);
  write_safetensors(weights_file(folder), file);
}

LoadedModel load_model(const std::filesystem::path& folder, torch::Device device) {
  const auto description = read_description(folder);
  LoadedModel loaded{.config = description.config, .vocabulary = description.vocabulary};
  const auto file = map_safetensors(weights_file(folder));
  check_vocabulary(folder, file.metadata, loaded.vocabulary);
  loaded.model = EncoderDecoder(loaded.config.model, sizes_of(loaded.vocabulary));
  const std::string origin = weights_file(folder).string();
  copy_weights(file.tensors, "", loaded.model, origin);
  if (const auto surplus = file.tensors.size() - loaded.model->named_parameters().size()) {
    throw UserError(origin + ": holds " + std::to_string(surplus) +
                    " tensors more than the architecture in config.json has");
  }
  loaded.model->to(device);
  loaded.model->eval();
  return loaded;
}

void copy_weights(const std::map<std::string, torch::Tensor>& tensors, const std::string& prefix,
                  const EncoderDecoder& model, const std::string& origin) {
  torch::NoGradGuard no_grad;
  for (const auto& item : model->named_parameters()) {
    auto found = tensors.find(prefix + item.key());
    if (found == tensors.end()) throw UserError(origin + ": has no tensor " + prefix + item.key());
    torch::Tensor parameter = item.value();
    if (found->second.sizes() != parameter.sizes()) {
      throw UserError(origin + ": " + item.key() + " has the shape " + shape_text(found->second) +
                      ", the configuration wants " + shape_text(parameter));
    }
    parameter.copy_(found->second);
  }
}

}  // namespace xformer
