// The random numbers of numpy.random.default_rng(seed), drawn as sacreBLEU draws them.
#pragma once

#include <cstdint>

namespace xformer {

/// PCG64 (O'Neill 2014, XSL-RR) seeded through numpy's SeedSequence.
class NumpyRandom {
 public:
  explicit NumpyRandom(uint64_t seed);

  uint64_t next64();
  /// Half of a 64-bit number: the low one first, then the high one.
  uint32_t next32();

 private:
  void step();

  unsigned __int128 state_ = 0, increment_ = 0;
  bool has_half_ = false;
  uint32_t half_ = 0;
};

/// rng.choice(size, replace=True) and rng.integers(size): numbers below `size`, Lemire's method in
/// 32 bits. `size` is at most 2^32 - 1; for a size of 1 nothing is drawn.
class NumpyChoice {
 public:
  NumpyChoice(NumpyRandom& random, uint32_t size);
  uint32_t next();

 private:
  NumpyRandom& random_;
  uint32_t size_, threshold_;
};

/// rng.integers(2, dtype=bool): the bits of 32-bit numbers, the lowest first.
class NumpyBits {
 public:
  explicit NumpyBits(NumpyRandom& random) : random_(random) {}
  bool next();

 private:
  NumpyRandom& random_;
  uint32_t bits_ = 0;
  int left_ = 0;
};

}  // namespace xformer
