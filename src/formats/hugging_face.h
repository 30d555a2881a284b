// Models of the transformers package: folders of MarianMTModel, as OPUS-MT's are, and of
// PegasusForConditionalGeneration with a MarianTokenizer, as xformer exports.
#pragma once

#include <filesystem>

#include "formats/stored_model.h"

namespace xformer {

/// Weights stay bit for bit as they are (float16 is widened); what is unlike xformer's own models
/// is told in the configuration. What was noticed on the way is in config.origin.notes. Throws
/// UserError naming the file and the reason when something is missing, damaged, contradictory or
/// cannot be expressed.
LoadedModel read_hugging_face(const std::filesystem::path& folder);

}  // namespace xformer
