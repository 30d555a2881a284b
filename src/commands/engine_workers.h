// The packed engine for a model from disk.
#pragma once

#include <memory>
#include <vector>

#include "commands/decoding.h"
#include "decode/step_decoder.h"
#include "formats/model_folder.h"

namespace xformer {

/// `count` decoders that share one packed model. Throws UserError when a weight is missing, surplus
/// or misshapen, or the precision is not one of a CPU.
std::vector<std::unique_ptr<StepDecoder>> engine_workers(ModelFiles files,
                                                         const DecodingOptions& options,
                                                         int64_t count);

}  // namespace xformer
