// What every command that computes is told: where to compute, and how loud to be.
#pragma once

#include <cstdint>
#include <string>

namespace xformer {

struct CommonOptions {
  std::string device = "auto";  ///< auto, cpu, cuda or cuda:N
  int64_t threads = 0;          ///< 0: one for each physical core
  std::string log_level = "info";
};

}  // namespace xformer
