// xformer translate
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "commands/common.h"
#include "commands/decoding.h"

namespace xformer {

struct TranslateOptions {
  CommonOptions common;
  DecodingOptions decoding;
  std::vector<std::string> models;  ///< none: $XFORMER_MODEL, else ./model
  std::string input, output;        ///< empty: standard input and output
  std::string prefix_file;          ///< what each translation begins with; empty: none
  std::string format = "text";      ///< or jsonl
  bool n_best_format = false;       ///< write "line ||| text ||| score" even for one
};

int run_translate(const TranslateOptions& options);

}  // namespace xformer
