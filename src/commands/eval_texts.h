// The texts that eval scores: read, made by a model, checked.
#pragma once

#include <optional>
#include <vector>

#include "commands/eval.h"
#include "scoring/text_lines.h"

namespace xformer {

struct EvalTexts {
  std::vector<TextLines> systems;  ///< the baseline first, if there is one; none: to be translated
  std::vector<TextLines> references;
  std::optional<TextLines> source;
};

/// Reads all files. Throws UserError when one cannot be read, when their numbers of lines differ or
/// are 0, and when two systems share a name. Gives less after a stop signal.
EvalTexts read_texts(const EvalOptions& options);

/// What the model makes of the source, line by line; fewer lines after a stop signal.
TextLines translate_source(const EvalOptions& options);

/// Says what makes a score lower, or less comparable, than its reader may think.
void warn_of_pitfalls(const EvalTexts& texts, const EvalOptions& options);

}  // namespace xformer
