// Rules that tie keys of the configuration to each other.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace xformer {

/// Values that do not go together.
struct BrokenRule {
  std::vector<std::string> keys;  ///< all that the rule looks at
  std::string fault;  ///< "model.d_model is 510, must be a multiple of model.h, which is 8"
};

/// What does not go together in `config`, whose values are each right by themselves.
std::vector<BrokenRule> broken_rules(const Config& config);

/// What a model may lack but training needs: its text.
std::vector<BrokenRule> missing_for_training(const Config& config);

}  // namespace xformer
