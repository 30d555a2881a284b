// The encoder on packed rows: sentences one behind the other, without padding.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/layer_runner.h"

namespace xformer {

/// Where each sentence's rows lie among those of all.
struct PackedSentences {
  std::vector<int64_t> begin = {0};  ///< of each sentence, and the end of the last one

  int64_t count() const { return std::ssize(begin) - 1; }
  int64_t rows() const { return begin.back(); }
  int64_t length(int64_t sentence) const { return begin[sentence + 1] - begin[sentence]; }
};

class PackedEncoder {
 public:
  PackedEncoder(const PackedModel& model, LayerRunner& layers) : model_(model), layers_(layers) {}

  /// Sources without eos -> the memory of each with its eos, (rows, d_model), valid until the next
  /// call.
  const float* encode(const std::vector<std::vector<int32_t>>& sources);
  const PackedSentences& sentences() const { return sentences_; }

 private:
  void self_attention(const PackedAttention& layer, float* x);

  const PackedModel& model_;
  LayerRunner& layers_;
  PackedSentences sentences_;
  AlignedArray<float> x_, query_, context_;
  KeyRows key_value_{model_.target, 2 * model_.config.d_model};
  std::vector<const void*> keys_;
};

}  // namespace xformer
