// What Marian's options say about a model.
#pragma once

#include <string>

#include "config/config.h"
#include "formats/marian_yaml.h"

namespace xformer {

/// Read from the "special:model.yml" of a model; `name` is what errors call it. Throws UserError
/// naming the option, its value and what is allowed, for every kind of model that is not the
/// Transformer of this tool: other types, recurrent or averaging decoders, highway connections,
/// learned positions, and so on.
ModelConfig marian_architecture(const MarianOptions& options, const std::string& name);

/// An option that has one value, or is absent.
std::string marian_option(const MarianOptions& options, const std::string& key,
                          const std::string& otherwise);

}  // namespace xformer
