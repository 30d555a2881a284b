#include "formats/hugging_face.h"

#include "formats/hugging_face_config.h"
#include "formats/hugging_face_vocabulary.h"
#include "formats/hugging_face_weights.h"
#include "formats/imported_model.h"

namespace xformer {

LoadedModel read_hugging_face(const std::filesystem::path& folder) {
  auto config = read_hugging_face_config(folder);
  const auto vocabulary = read_hugging_face_vocabulary(folder, config);
  auto weights = read_hugging_face_weights(folder, config);
  return make_imported_model({.model = config.model,
                              .decoding = config.decoding,
                              .origin = {.format = "huggingface " + config.type,
                                         .name = vocabulary.name,
                                         .version = config.version,
                                         .notes = config.notes},
                              .vocabulary = vocabulary.vocabulary,
                              .separate_maps = vocabulary.separate,
                              .languages = vocabulary.languages,
                              .weights = std::move(weights)});
}

}  // namespace xformer
