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
  int64_t part = 0;  ///< of the update: a micro-batch, or a thread's share of one
};

/// Starts the calling thread's stream.
void start_dropout_stream(const DropoutPlace& place);

/// The next draw of the calling thread's stream.
DropoutDraw next_dropout_draw(double probability);

}  // namespace xformer
