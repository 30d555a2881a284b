// xformer translate
#pragma once

#include <cstdint>
#include <string>

#include "commands/common.h"
#include "commands/decoding.h"

namespace xformer {

struct TranslateOptions {
  CommonOptions common;
  DecodingOptions decoding;
  std::string model;          ///< empty: $XFORMER_MODEL, else ./model
  std::string input, output;  ///< empty: standard input and output
  int64_t n_best = 1;
  bool n_best_format = false;  ///< write "line ||| text ||| score" even for one
};

int run_translate(const TranslateOptions& options);

}  // namespace xformer
