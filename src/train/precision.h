// In which number format the products of a training are computed; the weights themselves stay
// float32.
#pragma once

#include <optional>

#include "config/config.h"
#include "libtorch.h"

namespace xformer {

/// What `precision` means on `device`: "auto" is bfloat16 where the hardware multiplies it
/// natively, float32 elsewhere.
Precision resolve_precision(Precision precision, torch::Device device);

/// "float32", "bfloat16" or "float16": what a resolved precision is called.
const char* name_of(Precision resolved);

/// While it lives, operations run under torch's autocast in `precision`, or as usual for float32.
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
