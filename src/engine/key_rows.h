// Keys and values of rows as attention reads them: an int8 engine keeps them in bfloat16, which
// halves what it has to fetch for each step.
#pragma once

#include <cstdint>

#include "engine/aligned_array.h"
#include "engine/packed_linear.h"

namespace xformer {

/// Of rows of so many numbers. Either kind of number lies in an array of its own.
class KeyRows {
 public:
  KeyRows(const EngineTarget& target, int64_t width)
      : rounds_(target.rounds_keys()), width_(width) {}

  /// Makes them x W^T + b, one row for each of x, in heads of d_k numbers. `products` is memory for
  /// what comes in between.
  void write(const PackedLinear& key_value, const InputRows& x, int64_t d_k,
             AlignedArray<float>& products) {
    if (!rounds_) {
      key_value.apply(x, {.values = floats_.reserve(x.count * width_), .stride = width_});
      return;
    }
    const int64_t size = x.count * width_;
    key_value.apply(x, {.values = products.reserve(size), .stride = width_});
    key_value.target().kernels().to_bfloat16(products.data(), size, d_k, rounded_.reserve(size));
  }

  const void* row(int64_t row) const {
    if (!rounds_) return floats_.data() + row * width_;
    return rounded_.data() + row * width_;
  }

 private:
  bool rounds_;
  int64_t width_;
  AlignedArray<float> floats_;
  AlignedArray<BFloat16> rounded_;
};

}  // namespace xformer
