// What is in a model, in words.
#pragma once

#include <string>

#include "formats/stored_model.h"

namespace xformer {

/// A line for each trait: where the model comes from, its sizes, what it departs from the Annotated
/// Transformer in, its vocabularies and languages, and how it searches unless told otherwise.
std::string describe(const LoadedModel& model);

}  // namespace xformer
