// Models for the transformers package: from_pretrained() and generate() take the folder as it is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "formats/stored_model.h"

namespace xformer {

/// Writes config.json, generation_config.json, model.safetensors and the files of a
/// MarianTokenizer, then reads them back and compares. A model with the norm behind each sublayer
/// becomes a MarianMTModel, one with the norm before a PegasusForConditionalGeneration, which is
/// the same but for that. Positions are sines and then cosines there: a model that has them in
/// turns gets the numbers along its residual stream in another order, which changes no result.
/// Returns what was decided on the way. Throws UserError naming what cannot be expressed; RunError
/// when writing fails or what was read back differs.
std::vector<std::string> write_hugging_face(const std::filesystem::path& folder,
                                            const LoadedModel& model);

}  // namespace xformer
