// A trained model on disk: config.json, model.safetensors, and the vocabularies, all in one folder
// that can be moved.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "config/config.h"
#include "model/encoder_decoder.h"
#include "text/tokenizer.h"

namespace xformer {

/// What the maps of imported models are called: one for both sides, or one each.
inline constexpr const char *kSharedMap = "vocab.json", *kSourceMap = "source_vocab.json",
                            *kTargetMap = "target_vocab.json";

struct LoadedModel {
  Config config;
  Vocabulary vocabulary;
  EncoderDecoder model{nullptr};
};

/// What a model folder holds, before a model is made of it.
struct ModelFiles {
  Config config;
  Vocabulary vocabulary;
  std::map<std::string, torch::Tensor> weights;  ///< mapped from the file, not to be written to
  std::string origin;                            ///< the file that the weights are in
};

VocabularySizes sizes_of(const Vocabulary& vocabulary);
VocabularyHashes hashes_of(const Vocabulary& vocabulary);

/// Writes config.json and the vocabularies, with their maps under the names that
/// config.vocabulary has for them; the configuration gets the vocabularies' special tokens and
/// hashes.
void write_model_description(const std::filesystem::path& folder, Config config,
                             const Vocabulary& vocabulary);
/// Removes what the functions here write, and nothing else.
void remove_model(const std::filesystem::path& folder);

/// Writes model.safetensors, with the hashes of the vocabulary that the weights were trained with.
void write_weights(const std::filesystem::path& folder, const EncoderDecoder& model,
                   const Vocabulary& vocabulary);

/// The file that a model folder has its weights in.
std::filesystem::path weights_file(const std::filesystem::path& folder);
Config read_model_config(const std::filesystem::path& folder);
/// The vocabularies of a folder that holds `config`.
Vocabulary read_vocabulary(const std::filesystem::path& folder, const Config& config);

/// Throws UserError when a file is missing or damaged, or when weights and vocabulary do not belong
/// together.
ModelFiles open_model(const std::filesystem::path& folder);

/// The whole model on `device`, ready for translation. Throws UserError when a file is missing or
/// damaged, when a weight is missing, surplus or misshapen, or when weights and vocabulary do not
/// belong together.
LoadedModel load_model(const std::filesystem::path& folder, torch::Device device);

/// Copies tensors into the parameters of the same names; `prefix` stands before each name in
/// `tensors`.
void copy_weights(const std::map<std::string, torch::Tensor>& tensors, const std::string& prefix,
                  const EncoderDecoder& model, const std::string& origin);

}  // namespace xformer
