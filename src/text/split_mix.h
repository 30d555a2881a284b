// Random numbers that are the same on every platform, unlike those of the standard library's
// distributions.
#pragma once

#include <cstdint>

namespace xformer {

/// SplitMix64 (Steele, Lea and Flood, 2014): 64 random bits a call from a counter.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t bits = state_ += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

  /// One of 0 .. bound - 1, each equally likely; `bound` is at least 1.
  uint64_t below(uint64_t bound) {
    const uint64_t unfair =
        (UINT64_MAX % bound + 1) % bound;  // numbers at the top that would favour small results
    uint64_t bits = next();
    while (bits > UINT64_MAX - unfair) bits = next();
    return bits % bound;
  }

 private:
  uint64_t state_;
};

}  // namespace xformer
