// Translation on a GPU, by the plain model.
#pragma once

#include <memory>
#include <vector>

#include "commands/common.h"
#include "commands/decoding.h"
#include "decode/step_decoder.h"
#include "storage/model_folder.h"

namespace xformer {

/// Whether --device means a GPU; "auto" does where there is one. Throws UserError for a device that
/// does not exist, and NeedsLibTorch when only LibTorch knows.
bool runs_on_gpu(const CommonOptions& common);

/// One decoder: the device itself is what is parallel. Throws UserError when the folder holds no
/// whole model or the options do not go with a GPU.
std::vector<std::unique_ptr<StepDecoder>> gpu_workers(const ModelDescription& model,
                                                      const DecodingOptions& options,
                                                      const CommonOptions& common);

}  // namespace xformer
