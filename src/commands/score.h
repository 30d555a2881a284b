// xformer score
#pragma once

#include <string>
#include <vector>

#include "commands/common.h"
#include "commands/decoding.h"

namespace xformer {

struct ScoreOptions {
  CommonOptions common;
  DecodingOptions decoding;
  std::vector<std::string> models;  ///< none: $XFORMER_MODEL, else ./model
  std::string source, target, output;
};

int run_score(const ScoreOptions& options);

}  // namespace xformer
