#include "kernels/dropout_stream.h"

#include "kernels/philox.h"

namespace xformer {
namespace {

thread_local uint64_t next_key = 0;

/// One number of Philox, for mixing.
uint64_t mixed(uint64_t key, uint64_t counter) {
  uint32_t out[4][kPhiloxLanes];
  philox(key, counter, out);
  return static_cast<uint64_t>(out[1][0]) << 32 | out[0][0];
}

}  // namespace

void start_dropout_stream(const DropoutPlace& place) {
  next_key = mixed(mixed(place.seed, static_cast<uint64_t>(place.update)),
                   static_cast<uint64_t>(place.part));
}

DropoutDraw next_dropout_draw(double probability) {
  return DropoutDraw::with_probability(next_key++, probability);
}

}  // namespace xformer
