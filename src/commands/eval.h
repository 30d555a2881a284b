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
  std::string hypothesis;               ///< file with translations, one a line
  std::string model, source;            ///< or the model that makes them, and what it translates
  std::vector<std::string> references;  ///< files, line for line as the translations
  bool lowercase = false;
  std::string format = "text";  ///< sacreBLEU's line; "json": its object, the score unrounded
};

/// Prints corpus BLEU on stdout and returns the exit status. Throws UserError for files that cannot
/// be scored.
int run_eval(const EvalOptions& options);

}  // namespace xformer
