// xformer info
#pragma once

#include <string>

#include "commands/common.h"

namespace xformer {

struct InfoOptions {
  CommonOptions common;
  std::string model;  ///< empty: versions and devices alone
};

int run_info(const InfoOptions& options);

}  // namespace xformer
