// Random numbers that are a function of a key and a counter alone (Salmon et al. 2011), so that any
// thread can draw any of them.
#pragma once

#include <cstdint>

#include "kernels/clones.h"

namespace xformer {

/// Philox-4x32-10 of the counters first, first + 1, ...: word w of lane l is out[w][l]. Inlined
/// into each of a caller's clones; the more lanes, the less one round waits for another.
template <int kLanes>
XFORMER_INLINE void philox(uint64_t key, uint64_t first, uint32_t (&out)[4][kLanes]) {
  constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int l = 0; l < kLanes; ++l) {
    out[0][l] = static_cast<uint32_t>(first + l);
    out[1][l] = static_cast<uint32_t>((first + l) >> 32);
    out[2][l] = out[3][l] = 0;
  }
  auto key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    for (int l = 0; l < kLanes; ++l) {
      const uint64_t product0 = static_cast<uint64_t>(kMultiplier0) * out[0][l];
      const uint64_t product1 = static_cast<uint64_t>(kMultiplier1) * out[2][l];
      out[0][l] = static_cast<uint32_t>(product1 >> 32) ^ out[1][l] ^ key0;
      out[1][l] = static_cast<uint32_t>(product1);
      out[2][l] = static_cast<uint32_t>(product0 >> 32) ^ out[3][l] ^ key1;
      out[3][l] = static_cast<uint32_t>(product0);
    }
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
}

}  // namespace xformer
