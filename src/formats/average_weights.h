// The mean of several sets of weights of one architecture (paper 6.1).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/encoder_decoder.h"

namespace xformer {

/// Sets `model` to the mean of the weights in the given safetensors files, at least one, which have
/// them under the model's names with `prefix` before them. Added up in double precision. Throws
/// UserError when a file is damaged or has not all the weights.
void average_weights(const std::vector<std::filesystem::path>& files, const std::string& prefix,
                     const EncoderDecoder& model);

}  // namespace xformer
