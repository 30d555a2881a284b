// Where the keys of dropout come from: each thread's own stream, a function of what it was started
// with, so that a training that goes on draws what it would have drawn.
#pragma once

#include <cstdint>

#include "kernels/dropout.h"

namespace xformer {

/// A place in a training. Its stream shares no key with that of another place.
struct DropoutPlace {
  uint64_t seed = 0;
  int64_t update = 0;
  int64_t part = 0;  ///< of the update: a micro-batch
};

/// Starts the calling thread's stream, for the first row of a part.
void start_dropout_stream(const DropoutPlace& place);

/// From now on the calling thread works on the rows of its part from this one on. Threads that
/// share a part draw, with the same stream, what one thread would draw.
void set_first_dropout_row(int64_t row);

/// The next draw of the calling thread's stream, for elements that begin at place `first` of what
/// the whole part draws.
DropoutDraw next_dropout_draw(double probability, int64_t first);
/// The same for its rows of `width` elements.
DropoutDraw next_dropout_draw_of_rows(double probability, int64_t width);

}  // namespace xformer
