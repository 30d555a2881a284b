// Weights under the names of transformers' Marian and Pegasus models.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "formats/hugging_face_config.h"
#include "formats/model_tensors.h"
#include "libtorch.h"

namespace xformer {

/// "model.encoder.layers.0.self_attn.q_proj.weight". Shapes are the same but for the output's bias,
/// which has a row of its own there.
std::string hugging_face_name(const ModelTensor& tensor, const ModelConfig& model);

/// The tensors of model.safetensors under xformer's names, in float32, mapped from the file where
/// it holds them so; a bias that is absent is told in `config`. Copies of tied matrices that differ
/// are left aside, with a note, as transformers does. Throws UserError when a tensor is missing,
/// surplus, misshapen or of a type that float32 cannot hold.
std::map<std::string, torch::Tensor> read_hugging_face_weights(const std::filesystem::path& folder,
                                                               HuggingFaceConfig& config);

}  // namespace xformer
