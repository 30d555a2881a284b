// A hash that tells files and vocabularies apart.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace xformer {

/// XXH3 of 128 bits over bytes that come in any portions. Not for secrets.
class ContentHash {
 public:
  ContentHash();
  void update(std::string_view bytes);
  /// Of all bytes so far: 32 hexadecimal digits, highest first, as xxhsum -H2 prints them.
  std::string hex() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Of bytes that are all at hand.
std::string hash_of(std::string_view bytes);

}  // namespace xformer
