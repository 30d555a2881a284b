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
  std::string init_from;  ///< folder of a model whose weights and vocabulary are the start
  bool resume = false, overwrite = false;
  int64_t processes = 0;               ///< to be started here; 0: none
  std::vector<std::string> arguments;  ///< the command line, with which they are started
};

/// Returns the exit status: 0, or 128 + n when signal n ended the training, which can then be
/// resumed. One of several processes (distributed/process_environment.h) does not return when one
/// of them fails.
int run_train(const TrainOptions& options);

}  // namespace xformer
