// xformer import
#pragma once

#include <string>

#include "commands/common.h"

namespace xformer {

struct ImportOptions {
  CommonOptions common;
  std::string from;  ///< a Hugging Face folder, or a .npz of Marian's
  std::string output;
  bool overwrite = false;
};

int run_import(const ImportOptions& options);

}  // namespace xformer
