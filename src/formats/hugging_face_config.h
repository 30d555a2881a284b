// What a Hugging Face folder's config.json and generation_config.json say about a model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"
#include "model/encoder_decoder.h"

namespace xformer {

/// Of transformers' two classes that are the same Transformer: MarianMTModel has the norm behind
/// each sublayer, PegasusForConditionalGeneration before it, and at the end of each stack.
struct HuggingFaceClass {
  const char* model_type;
  const char* architecture;
  NormPlacement norm;
  int32_t forced_eos;  ///< forced_eos_token_id where no file has the key
};
inline constexpr HuggingFaceClass kHuggingFaceClasses[] = {
    {"marian", "MarianMTModel", NormPlacement::kPost, 0},
    {"pegasus", "PegasusForConditionalGeneration", NormPlacement::kPre, 1}};

struct HuggingFaceActivation {
  const char* name;
  Activation activation;
};
/// Names that transformers knows; where there are several for one, the first is what it writes.
inline constexpr HuggingFaceActivation kHuggingFaceActivations[] = {
    {"relu", Activation::kRelu},
    {"swish", Activation::kSwish},
    {"silu", Activation::kSwish},
    {"gelu", Activation::kGelu},
    {"gelu_new", Activation::kGeluTanh},
    {"gelu_pytorch_tanh", Activation::kGeluTanh},
    {"quick_gelu", Activation::kGeluSigmoid}};

struct HuggingFaceConfig {
  ModelConfig model;
  DecodingConfig decoding;
  SpecialTokens tokens;   ///< unk and bos are the vocabulary's affair
  VocabularySizes sizes;  ///< rows of the embeddings
  std::string type;       ///< model_type
  std::string version;    ///< of the transformers that wrote it; empty: not told
  std::vector<std::string> notes;
};

/// Keys that mean nothing to the model are passed over. Settings of a search that would change its
/// result and that xformer does not take over become notes. Throws UserError when a file is
/// missing, or a value is missing, wrong or contradicts another.
HuggingFaceConfig read_hugging_face_config(const std::filesystem::path& folder);

}  // namespace xformer
