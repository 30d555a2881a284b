#include "formats/imported_model.h"

#include "runtime/error.h"
#include "storage/model_folder.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// Pieces of a source line where a model sets no limit itself, as Marian's translator has it.
constexpr int64_t kLongestSource = 1000;

Config config_of(const ImportedParts& parts) {
  Config config;
  config.model = parts.model;
  config.decoding = parts.decoding;
  config.tokens = parts.vocabulary.tokens;
  config.origin = parts.origin;
  auto& vocabulary = config.vocabulary;
  vocabulary.shared = parts.vocabulary.shared();
  vocabulary.size = parts.vocabulary.target.size();
  vocabulary.type = VocabularyType::kUnigram;
  vocabulary.source_map = parts.separate_maps ? kSourceMap : kSharedMap;
  vocabulary.target_map = parts.separate_maps ? kTargetMap : kSharedMap;
  vocabulary.language_tokens = parts.languages;
  const int64_t positions = parts.model.max_positions;
  config.data.max_length = positions > 0 ? positions - 1 : kLongestSource;
  return config;
}

bool same_weights(const EncoderDecoder& a, const EncoderDecoder& b) {
  const auto others = b->named_parameters();
  if (a->named_parameters().size() != others.size()) return false;
  for (const auto& item : a->named_parameters()) {
    const auto* other = others.find(item.key());
    if (other == nullptr || !torch::equal(item.value(), *other)) return false;
  }
  return true;
}

}  // namespace

LoadedModel make_imported_model(ImportedParts parts) {
  LoadedModel loaded{.config = config_of(parts), .vocabulary = parts.vocabulary};
  loaded.model = EncoderDecoder(loaded.config.model, sizes_of(loaded.vocabulary));
  copy_weights(parts.weights, "", loaded.model, parts.origin.name);
  loaded.model->eval();
  return loaded;
}

void write_imported_model(const fs::path& folder, const LoadedModel& model) {
  write_model_description(folder, model.config, model.vocabulary);
  write_weights(folder, model.model, model.vocabulary);
  const auto read = load_model(folder, torch::kCPU);
  auto expected = model.config;
  expected.vocabulary_hashes = hashes_of(model.vocabulary);
  if (to_json(read.config) != to_json(expected) || !same_weights(read.model, model.model)) {
    throw RunError(folder.string() + ": reads back otherwise than it was written");
  }
}

}  // namespace xformer
