#include "kernels/dropout_stream.h"

#include <set>
#include <thread>

#include "catch.h"

namespace xformer {

TEST_CASE("a place in a training gives the same keys again, on any thread") {
  const DropoutPlace place{.seed = 1, .update = 77, .part = 3};
  start_dropout_stream(place);
  const auto first = next_dropout_draw(0.1, 0).key, second = next_dropout_draw(0.1, 0).key;
  CHECK(first != second);
  std::thread([&] {
    start_dropout_stream(place);
    CHECK(next_dropout_draw(0.1, 0).key == first);
    CHECK(next_dropout_draw(0.1, 0).key == second);
  }).join();
}

TEST_CASE("no two places share a key") {
  std::set<uint64_t> keys;
  size_t drawn = 0;
  for (uint64_t seed = 0; seed < 3; ++seed) {
    for (int64_t update = 0; update < 50; ++update) {
      for (int64_t part = 0; part < 4; ++part) {
        start_dropout_stream({.seed = seed, .update = update, .part = part});
        for (int call = 0; call < 40; ++call, ++drawn) keys.insert(next_dropout_draw(0.5, 0).key);
      }
    }
  }
  CHECK(keys.size() == drawn);
}

}  // namespace xformer
