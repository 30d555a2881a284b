#include "text/content_hash.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <new>

namespace xformer {

struct ContentHash::State {
  XXH3_state_t* const xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(xxh);
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

ContentHash::ContentHash() : state_(std::make_shared<State>()) {}

void ContentHash::update(std::string_view bytes) {
  XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

std::string ContentHash::hex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string hash_of(std::string_view bytes) {
  ContentHash hash;
  hash.update(bytes);
  return hash.hex();
}

}  // namespace xformer
