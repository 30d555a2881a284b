// A sentence of the validation text and what a model made of it.
#pragma once

#include <string>

namespace xformer {

struct TranslationSample {
  std::string source, reference, translation;
};

}  // namespace xformer
