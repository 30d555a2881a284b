// The one description of the configuration: every key, the member that it sets, what it may be.
// Reading, writing, overrides, suggestions and differences all follow from this list.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "config/config.h"

namespace xformer {

/// JSON whose objects keep the order in which their keys were written.
using Json = nlohmann::ordered_json;

/// One key, bound to the member of a Config that holds its value.
struct Field {
  std::string key;  ///< from the top, "training.warmup"

  /// Sets the member. Returns the rule that the value breaks ("a number above 0") and leaves the
  /// member as it was, or returns nothing when all is well.
  std::function<std::string(const Json&)> read;
  std::function<Json()> write;

  /// The member where it is text: text of the command line is then taken as it stands.
  std::string* text = nullptr;
  /// The member where it is text or a list of texts.
  std::vector<std::string>* texts = nullptr;
  bool is_path = false;
  /// Recorded in model folders; a user cannot set it.
  bool is_internal = false;
};

/// Every key of the configuration, bound to `config`, in the order in which they are written.
std::vector<Field> fields_of(Config& config);

}  // namespace xformer
