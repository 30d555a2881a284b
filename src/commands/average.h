// xformer average
#pragma once

#include <string>
#include <vector>

#include "commands/common.h"

namespace xformer {

struct AverageOptions {
  CommonOptions common;
  std::vector<std::string> models;  ///< folders; none: the checkpoints of `model`
  std::string model;                ///< empty: $XFORMER_MODEL, else ./model
  int64_t last = 0;                 ///< newest checkpoints; 0: all
  std::string output;
  bool overwrite = false;
};

int run_average(const AverageOptions& options);

}  // namespace xformer
