// Numbers the distinct keys of a line 1, 2, 3, ... in the order in which they appear.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

namespace xformer {

/// A hash table with linear probing whose memory is kept from one line to the next. Keys are
/// compared in full.
template <typename Key>
class DenseIds {
 public:
  static constexpr int32_t kUnknown = 0;

  /// Forgets all keys and makes room for `max_keys` of them.
  void reset(size_t max_keys) {
    const size_t slots = std::bit_ceil(2 * max_keys + 2);
    shift_ = 64 - std::countr_zero(slots);
    slots_.assign(slots, Slot{});
    size_ = 0;
  }

  /// The number of `key`, a new one if it was not known.
  int32_t add(const Key& key) {
    Slot& slot = slots_[find_slot(key)];
    if (slot.id == kUnknown) slot = {key, ++size_};
    return slot.id;
  }

  /// How many keys there are, which is the highest number.
  int32_t size() const { return size_; }

  /// The number of `key`, or kUnknown.
  int32_t find(const Key& key) const { return slots_[find_slot(key)].id; }

 private:
  struct Slot {
    Key key{};
    int32_t id = kUnknown;
  };

  /// The slot that holds `key` or, if none does, the free one where it belongs.
  size_t find_slot(const Key& key) const {
    // Fibonacci hashing: the top bits of the product depend on all bits of the hash.
    size_t at = (uint64_t{std::hash<Key>{}(key)} * 0x9e3779b97f4a7c15) >> shift_;
    while (slots_[at].id != kUnknown && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  std::vector<Slot> slots_;
  int shift_ = 0;
  int32_t size_ = 0;
};

}  // namespace xformer
