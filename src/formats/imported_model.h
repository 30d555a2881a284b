// What every reader of another tool's models comes to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/stored_model.h"

namespace xformer {

struct ImportedParts {
  ModelConfig model;
  DecodingConfig decoding;
  ModelOrigin origin;
  Vocabulary vocabulary;
  bool separate_maps = false;
  std::vector<std::string> languages;
  std::map<std::string, torch::Tensor> weights;  ///< under xformer's names
};

/// A model as if xformer had trained it, which write_model takes.
LoadedModel make_imported_model(ImportedParts parts);

/// Writes a whole model folder, then opens it again and compares. Throws RunError when writing
/// fails or what was read back differs.
void write_imported_model(const std::filesystem::path& folder, const LoadedModel& model);

}  // namespace xformer
