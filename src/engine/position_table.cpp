#include "engine/position_table.h"

#include <algorithm>
#include <cmath>

namespace xformer {

/// As positional_encoding() of the plain model, number for number.
void PositionTable::grow(int64_t position) {
  constexpr int64_t kFirstLength = 128;
  length_ = std::max(kFirstLength, 2 * position);
  values_.resize(static_cast<size_t>(length_ * d_model_));
  const int64_t pairs = d_model_ / 2;
  const bool interleaved = kind_ == Positions::kInterleaved;
  const auto steps = static_cast<double>(
      kind_ == Positions::kHalvesMarian ? std::max<int64_t>(1, pairs - 1) : pairs);
  for (int64_t i = 0; i < pairs; ++i) {
    const double frequency = std::exp(static_cast<double>(i) * (-std::log(10000.0) / steps));
    float* sine = values_.data() + (interleaved ? 2 * i : i);
    float* cosine = interleaved ? sine + 1 : sine + pairs;
    for (int64_t t = 0; t < length_; ++t) {
      const double angle = static_cast<double>(t) * frequency;
      sine[t * d_model_] = static_cast<float>(std::sin(angle));
      cosine[t * d_model_] = static_cast<float>(std::cos(angle));
    }
  }
}

}  // namespace xformer
