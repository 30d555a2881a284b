// The packed engine for a model from disk.
#pragma once

#include <memory>
#include <vector>

#include "commands/decoding.h"
#include "decode/step_decoder.h"
#include "storage/model_folder.h"

namespace xformer {

/// `count` decoders that share one packed model. Throws UserError when the weights are missing or
/// damaged, do not fit the description, or the precision is not one of a CPU. With `screens` the
/// best piece of each row is all that they will be asked for.
std::vector<std::unique_ptr<StepDecoder>> engine_workers(const ModelDescription& model,
                                                         const DecodingOptions& options,
                                                         bool screens, int64_t count);

}  // namespace xformer
