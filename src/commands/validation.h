// How good a model in training is: the loss and the BLEU of greedy translations.
#pragma once

#include <optional>

#include "commands/training_parts.h"
#include "train/trainer.h"

namespace xformer {

/// Judges `model`, which is in evaluation mode, on the validation text. The processes share the
/// work and all get the result; nothing when a stop signal came to any of them.
std::optional<Validation> validate(const EncoderDecoder& model, const TrainingParts& parts);

}  // namespace xformer
