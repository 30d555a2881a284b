// xformer shortlist
#pragma once

#include <cstdint>
#include <string>

#include "commands/common.h"

namespace xformer {

struct ShortlistOptions {
  CommonOptions common;
  std::string model;           ///< empty: $XFORMER_MODEL, else ./model
  std::string source, target;  ///< sentence pairs, those that the model was trained on
  std::string output;          ///< empty: shortlist.safetensors in the model's folder
  int64_t frequent = 100, best = 100;
};

int run_shortlist(const ShortlistOptions& options);

}  // namespace xformer
