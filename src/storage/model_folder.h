// A trained model on disk: config.json, model.safetensors, and the vocabularies, all in one folder
// that can be moved. What is in the folder beside the weights.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "config/config.h"
#include "text/tokenizer.h"

namespace xformer {

/// What the maps of imported models are called: one for both sides, or one each.
inline constexpr const char *kSharedMap = "vocab.json", *kSourceMap = "source_vocab.json",
                            *kTargetMap = "target_vocab.json";

/// What a model folder holds beside the weights.
struct ModelDescription {
  std::filesystem::path folder;
  Config config;
  Vocabulary vocabulary;
};

VocabularyHashes hashes_of(const Vocabulary& vocabulary);

/// Writes config.json and the vocabularies, with their maps under the names that
/// config.vocabulary has for them; the configuration gets the vocabularies' special tokens and
/// hashes.
void write_model_description(const std::filesystem::path& folder, Config config,
                             const Vocabulary& vocabulary);
/// Removes what the functions here write, and nothing else.
void remove_model(const std::filesystem::path& folder);

/// The file that a model folder has its weights in.
std::filesystem::path weights_file(const std::filesystem::path& folder);
Config read_model_config(const std::filesystem::path& folder);
/// The vocabularies of a folder that holds `config`.
Vocabulary read_vocabulary(const std::filesystem::path& folder, const Config& config);
ModelDescription read_description(const std::filesystem::path& folder);

/// What weights say about the vocabularies that they were trained with.
std::map<std::string, std::string> metadata_for(const Vocabulary& vocabulary);
/// Throws UserError when the weights of `folder`, with this metadata, were trained with other
/// vocabularies.
void check_vocabulary(const std::filesystem::path& folder,
                      const std::map<std::string, std::string>& metadata,
                      const Vocabulary& vocabulary);

}  // namespace xformer
