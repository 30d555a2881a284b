// The plain model and the model folder that holds its weights.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "config/config.h"
#include "model/encoder_decoder.h"
#include "text/tokenizer.h"

namespace xformer {

struct LoadedModel {
  Config config;
  Vocabulary vocabulary;
  EncoderDecoder model{nullptr};
};

VocabularySizes sizes_of(const Vocabulary& vocabulary);

/// Writes model.safetensors, with the hashes of the vocabulary that the weights were trained with.
void write_weights(const std::filesystem::path& folder, const EncoderDecoder& model,
                   const Vocabulary& vocabulary);

/// The whole model on `device`, ready for translation. Throws UserError when a file is missing or
/// damaged, when a weight is missing, surplus or misshapen, or when weights and vocabulary do not
/// belong together.
LoadedModel load_model(const std::filesystem::path& folder, torch::Device device);

/// Copies tensors into the parameters of the same names; `prefix` stands before each name in
/// `tensors`.
void copy_weights(const std::map<std::string, torch::Tensor>& tensors, const std::string& prefix,
                  const EncoderDecoder& model, const std::string& origin);

}  // namespace xformer
