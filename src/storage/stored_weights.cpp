#include "storage/stored_weights.h"

#include <memory>

#include "runtime/error.h"
#include "runtime/mapped_file.h"
#include "storage/model_folder.h"
#include "storage/safetensors_header.h"

namespace xformer {

ModelWeights map_weights(const std::filesystem::path& folder, const Vocabulary& vocabulary) {
  const auto path = weights_file(folder);
  const auto header = read_safetensors_header(open_to_read(path), path);
  check_vocabulary(folder, header.metadata, vocabulary);
  auto file = std::make_shared<const MappedFile>(path);
  std::map<std::string, WeightPlace> places;
  for (const auto& tensor : header.tensors) {
    if (tensor.type != StoredType::kFloat32) {
      throw UserError(path.string() + ": " + tensor.name + " has the type " + name_of(tensor.type) +
                      ", must be F32");
    }
    const auto bytes = file->bytes().subspan(header.data_start + tensor.begin);
    places[tensor.name] = {.shape = tensor.shape,
                           .values = reinterpret_cast<const float*>(bytes.data())};
  }
  const auto release = [file] { file->release(); };
  return ModelWeights(std::move(places), path.string(), std::move(file), release);
}

}  // namespace xformer
