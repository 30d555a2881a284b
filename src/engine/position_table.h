// The plain model's positional encoding, as long as it is needed.
#pragma once

#include <cstdint>
#include <vector>

#include "config/config.h"

namespace xformer {

class PositionTable {
 public:
  explicit PositionTable(const ModelConfig& config)
      : kind_(config.positions), d_model_(config.d_model) {}

  /// The encoding of one position, (d_model), valid until the next call.
  const float* row(int64_t position) {
    if (position >= length_) grow(position);
    return values_.data() + position * d_model_;
  }

 private:
  void grow(int64_t position);

  Positions kind_;
  int64_t d_model_, length_ = 0;
  std::vector<float> values_;
};

}  // namespace xformer
