#include "scoring/numpy_random.h"

#include <array>
#include <bit>
#include <cstddef>

namespace xformer {
namespace {

// numpy's SeedSequence (Melissa O'Neill's seed_seq_fe128), pool of four words.
constexpr size_t kPool = 4;
constexpr uint32_t kInitA = 0x43b0d7e5, kMultiplyA = 0x931e8875, kInitB = 0x8b51f9dd,
                   kMultiplyB = 0x58f38ded, kMixLeft = 0xca01f9dd, kMixRight = 0x4973f715;
constexpr int kShift = 16;

uint32_t hashed(uint32_t value, uint32_t& constant) {
  value ^= constant;
  constant *= kMultiplyA;
  value *= constant;
  return value ^ value >> kShift;
}

uint32_t mixed(uint32_t x, uint32_t y) {
  const uint32_t result = kMixLeft * x - kMixRight * y;
  return result ^ result >> kShift;
}

std::array<uint32_t, kPool> seeded_pool(uint64_t seed) {
  std::array<uint32_t, kPool> pool{};
  uint32_t constant = kInitA;
  const uint32_t entropy[] = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  for (size_t i = 0; i < kPool; ++i) pool[i] = hashed(i < 2 ? entropy[i] : 0, constant);
  for (size_t from = 0; from < kPool; ++from) {
    for (size_t to = 0; to < kPool; ++to) {
      if (from != to) pool[to] = mixed(pool[to], hashed(pool[from], constant));
    }
  }
  return pool;
}

/// generate_state(4, uint64).
std::array<uint64_t, 4> generate_state(const std::array<uint32_t, kPool>& pool) {
  std::array<uint32_t, 8> words;
  uint32_t constant = kInitB;
  for (size_t i = 0; i < words.size(); ++i) {
    uint32_t value = pool[i % kPool] ^ constant;
    constant *= kMultiplyB;
    value *= constant;
    words[i] = value ^ value >> kShift;
  }
  std::array<uint64_t, 4> state;
  for (size_t i = 0; i < state.size(); ++i) {
    state[i] = words[2 * i] | uint64_t{words[2 * i + 1]} << 32;
  }
  return state;
}

using Wide = unsigned __int128;
constexpr Wide kMultiplier = Wide{0x2360ed051fc65da4} << 64 | 0x4385df649fccf645;

}  // namespace

NumpyRandom::NumpyRandom(uint64_t seed) {
  const auto state = generate_state(seeded_pool(seed));
  increment_ = (Wide{state[2]} << 64 | state[3]) << 1 | 1;
  step();
  state_ += Wide{state[0]} << 64 | state[1];
  step();
}

void NumpyRandom::step() {
  state_ = state_ * kMultiplier + increment_;
}

uint64_t NumpyRandom::next64() {
  step();
  const auto high = static_cast<uint64_t>(state_ >> 64), low = static_cast<uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

uint32_t NumpyRandom::next32() {
  if (has_half_) {
    has_half_ = false;
    return half_;
  }
  const uint64_t whole = next64();
  has_half_ = true;
  half_ = static_cast<uint32_t>(whole >> 32);
  return static_cast<uint32_t>(whole);
}

NumpyChoice::NumpyChoice(NumpyRandom& random, uint32_t size)
    : random_(random), size_(size), threshold_((UINT32_MAX - (size - 1)) % size) {}

uint32_t NumpyChoice::next() {
  if (size_ == 1) return 0;
  uint64_t product = uint64_t{random_.next32()} * size_;
  while (static_cast<uint32_t>(product) < threshold_) product = uint64_t{random_.next32()} * size_;
  return static_cast<uint32_t>(product >> 32);
}

bool NumpyBits::next() {
  if (left_ == 0) {
    bits_ = random_.next32();
    left_ = 32;
  }
  const bool bit = bits_ & 1;
  bits_ >>= 1;
  --left_;
  return bit;
}

}  // namespace xformer
