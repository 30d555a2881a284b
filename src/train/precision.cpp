#include "train/precision.h"

#include <ATen/autocast_mode.h>

namespace xformer {
namespace {

/// Machines with AMX have these instructions too.
bool cpu_multiplies_bfloat16() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

}  // namespace

Precision resolve_precision(Precision precision, torch::Device device) {
  if (precision != Precision::kAuto) return precision;
  const bool native = device.is_cuda() || cpu_multiplies_bfloat16();
  return native ? Precision::kBfloat16 : Precision::kFloat32;
}

const char* name_of(Precision resolved) {
  if (resolved == Precision::kBfloat16) return "bfloat16";
  return resolved == Precision::kFloat16 ? "float16" : "float32";
}

AutocastScope::AutocastScope(Precision precision, torch::Device device) {
  if (precision == Precision::kFloat32) return;
  device_ = device.type();
  at::autocast::set_autocast_dtype(
      *device_, precision == Precision::kFloat16 ? torch::kHalf : torch::kBFloat16);
  at::autocast::set_autocast_enabled(*device_, true);
  at::autocast::increment_nesting();
}

AutocastScope::~AutocastScope() {
  if (!device_) return;
  // Without clearing, stale casts of the weights would survive the update.
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(*device_, false);
}

}  // namespace xformer
