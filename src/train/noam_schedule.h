// The learning rate of the paper (5.3): linear warm-up, then decay with the inverse square root.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace xformer {

/// base_lr * d_model^-0.5 * min(update^-0.5, update * warmup^-1.5). Updates count from 1, so the
/// peak is at `warmup`, which is 1 or more.
inline double noam_rate(int64_t update, int64_t d_model, double base_lr, int64_t warmup) {
  const auto step = static_cast<double>(update);
  const double rate =
      std::min(std::pow(step, -0.5), step * std::pow(static_cast<double>(warmup), -1.5));
  return base_lr * std::pow(static_cast<double>(d_model), -0.5) * rate;
}

}  // namespace xformer
