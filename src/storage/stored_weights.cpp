#include "storage/stored_weights.h"

#include <memory>

#include "runtime/error.h"
#include "storage/mapped_safetensors.h"
#include "storage/model_folder.h"

namespace xformer {

ModelWeights map_weights(const std::filesystem::path& folder, const Vocabulary& vocabulary) {
  const auto path = weights_file(folder);
  auto file = std::make_shared<const MappedSafetensors>(path);
  check_vocabulary(folder, file->header().metadata, vocabulary);
  std::map<std::string, WeightPlace> places;
  for (const auto& tensor : file->header().tensors) {
    if (tensor.type != StoredType::kFloat32) {
      throw UserError(path.string() + ": " + tensor.name + " has the type " + name_of(tensor.type) +
                      ", must be F32");
    }
    places[tensor.name] = {.shape = tensor.shape,
                           .values = reinterpret_cast<const float*>(file->bytes(tensor).data())};
  }
  const auto release = [file] { file->release(); };
  return ModelWeights(std::move(places), path.string(), std::move(file), release);
}

}  // namespace xformer
