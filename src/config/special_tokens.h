// Ids with a meaning of their own.
#pragma once

#include <cstdint>
#include <vector>

namespace xformer {

/// Where every vocabulary that xformer trains has them.
inline constexpr int32_t kPad = 0, kUnk = 1, kBos = 2, kEos = 3;

/// Where a model has them: one that was trained elsewhere may have its own places.
struct SpecialTokens {
  int32_t pad = kPad, unk = kUnk;
  int32_t bos = kBos;  ///< -1: the vocabulary has none
  int32_t eos = kEos;
  int32_t decoder_start = kBos;               ///< what the decoder reads first
  std::vector<int32_t> never = {kPad, kBos};  ///< what a search may never choose
};

}  // namespace xformer
