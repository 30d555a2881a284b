// `xformer eval`: scores translations against references.
#pragma once

#include <string>
#include <vector>

#include "commands/common.h"
#include "commands/decoding.h"

namespace xformer {

struct EvalOptions {
  CommonOptions common;
  DecodingOptions decoding;
  std::string hypothesis;     ///< file with translations, one a line
  std::string model, source;  ///< or the model that makes them, and what it translates
  std::vector<std::string>
      references;  ///< files, line i being a translation of line i of the source
  bool lowercase = false;
  std::string format =
      "text";  ///< "text" is sacreBLEU's line, "json" its object with the score unrounded
};

/// Prints corpus BLEU on stdout and returns the exit status. Throws UserError for files that cannot
/// be scored.
int run_eval(const EvalOptions& options);

}  // namespace xformer
