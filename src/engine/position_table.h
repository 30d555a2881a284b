// The plain model's positional encoding, as long as it is needed.
#pragma once

#include <cstdint>
#include <vector>

namespace xformer {

class PositionTable {
 public:
  explicit PositionTable(int64_t d_model) : d_model_(d_model) {}

  /// The encoding of one position, (d_model), valid until the next call.
  const float* row(int64_t position) {
    if (position >= length_) grow(position);
    return values_.data() + position * d_model_;
  }

 private:
  void grow(int64_t position);

  int64_t d_model_, length_ = 0;
  std::vector<float> values_;
};

}  // namespace xformer
