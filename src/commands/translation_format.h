// What translate writes for a line.
#pragma once

#include <cstdint>
#include <string>

#include "decode/translator.h"

namespace xformer {

struct TranslationFormat {
  bool json = false;       ///< an object a line, with all there is
  bool n_best = false;     ///< "line ||| text ||| score" for each hypothesis
  bool alignment = false;  ///< text: " ||| 0-0 1-2 ..." behind it, source word-target word
};

/// Whole lines, LF included. `line` counts from 0.
std::string format_translation(const Translation& translation, int64_t line,
                               const Vocabulary& vocabulary, const TranslationFormat& format);

}  // namespace xformer
