#include "engine/position_table.h"

#include <algorithm>

#include "model/embeddings.h"

namespace xformer {

void PositionTable::grow(int64_t position) {
  constexpr int64_t kFirstLength = 128;
  length_ = std::max(kFirstLength, 2 * position);
  const auto table = positional_encoding(length_, d_model_, kind_);
  const float* first = table.const_data_ptr<float>();
  values_.assign(first, first + table.numel());
}

}  // namespace xformer
