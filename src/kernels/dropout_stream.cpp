#include "kernels/dropout_stream.h"

#include "kernels/philox.h"

namespace xformer {
namespace {

thread_local uint64_t next_key = 0;
thread_local int64_t first_row = 0;

/// One number of Philox, for mixing.
uint64_t mixed(uint64_t key, uint64_t counter) {
  uint32_t out[4][1];
  philox(key, counter, out);
  return static_cast<uint64_t>(out[1][0]) << 32 | out[0][0];
}

}  // namespace

void start_dropout_stream(const DropoutPlace& place) {
  next_key = mixed(mixed(place.seed, static_cast<uint64_t>(place.update)),
                   static_cast<uint64_t>(place.part));
  first_row = 0;
}

void set_first_dropout_row(int64_t row) {
  first_row = row;
}

DropoutDraw next_dropout_draw(double probability, int64_t first) {
  auto draw = DropoutDraw::with_probability(next_key++, probability);
  draw.first = first;
  return draw;
}

DropoutDraw next_dropout_draw_of_rows(double probability, int64_t width) {
  return next_dropout_draw(probability, first_row * width);
}

}  // namespace xformer
