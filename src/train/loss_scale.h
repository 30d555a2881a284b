// The loss scale of float16 (Micikevicius et al. 2018): unscaled, small gradients vanish there.
#pragma once

#include <cstdint>

namespace xformer {

/// Moves by the rules and with the constants of torch.amp.GradScaler.
struct LossScale {
  static constexpr double kGrowth = 2, kBackoff = 0.5;
  static constexpr int64_t kGrowthInterval = 2000;  ///< updates

  double factor = 65536;
  int64_t updates_without_overflow = 0;

  /// After an update in which some scaled gradient was, or none was, beyond float16's range.
  void adapt(bool overflowed) {
    updates_without_overflow = overflowed ? 0 : updates_without_overflow + 1;
    if (overflowed) factor *= kBackoff;
    if (updates_without_overflow < kGrowthInterval) return;
    factor *= kGrowth;
    updates_without_overflow = 0;
  }
};

}  // namespace xformer
