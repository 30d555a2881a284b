// xformer train
#pragma once

#include <string>
#include <vector>

#include "commands/common.h"

namespace xformer {

struct TrainOptions {
  CommonOptions common;
  std::string config;                  ///< may be empty with resume: the saved one is taken
  std::vector<std::string> overrides;  ///< key.path=value
  std::string output = "./model";
  bool resume = false, overwrite = false;
};

/// Returns the exit status: 0, or 128 + n when signal n ended the training, which can then be
/// resumed.
int run_train(const TrainOptions& options);

}  // namespace xformer
