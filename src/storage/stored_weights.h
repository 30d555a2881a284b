// The weights of a model folder for the engine, straight from the file.
#pragma once

#include <filesystem>

#include "engine/model_weights.h"
#include "text/tokenizer.h"

namespace xformer {

/// Maps model.safetensors. Throws UserError when it is missing, damaged or not float32, or was
/// trained with another vocabulary than the folder's.
ModelWeights map_weights(const std::filesystem::path& folder, const Vocabulary& vocabulary);

}  // namespace xformer
