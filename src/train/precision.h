// In which number format the products of a training are computed; the weights themselves stay
// float32.
#pragma once

#include <optional>

#include "config/config.h"
#include "libtorch.h"

namespace xformer {

/// What `precision` means on `device`: "auto" is bfloat16 where the hardware multiplies it
/// natively, float32 elsewhere. Throws UserError for float16, which needs loss scaling that is not
/// built in.
Precision resolve_precision(Precision precision, torch::Device device);

/// "float32" or "bfloat16": what a resolved precision is called.
const char* name_of(Precision resolved);

/// While it lives, operations run under torch's autocast in bfloat16, or as usual for float32.
class AutocastScope {
 public:
  AutocastScope(Precision precision, torch::Device device);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  std::optional<torch::DeviceType> device_;  ///< empty when nothing was switched on
};

}  // namespace xformer
