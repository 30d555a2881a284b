// xformer export
#pragma once

#include <string>

#include "commands/common.h"

namespace xformer {

struct ExportOptions {
  CommonOptions common;
  std::string model;  ///< empty: $XFORMER_MODEL, else ./model
  std::string to = "ctranslate2";
  std::string output;
  std::string precision = "float32";  ///< or int8
  bool overwrite = false;
};

int run_export(const ExportOptions& options);

}  // namespace xformer
