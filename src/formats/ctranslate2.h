// Models for CTranslate2: a folder that its package loads as it stands (binary version 6, that of
// releases since 3.15).
#pragma once

#include <filesystem>

#include "formats/stored_model.h"

namespace xformer {

/// What the matrices are stored as; biases, norms and positions stay float32.
enum class Ctranslate2Weights { kFloat32, kInt8 };

/// Writes model.bin, config.json and the vocabularies into `folder`, then reads model.bin back and
/// compares. Pieces that a search here never chooses get a bias that keeps CTranslate2 from
/// choosing them. Positions are stored as a table, so that inputs longer than it are refused
/// there. Throws RunError when writing fails or what was read back differs.
void write_ctranslate2(const std::filesystem::path& folder, const LoadedModel& model,
                       Ctranslate2Weights weights);

}  // namespace xformer
