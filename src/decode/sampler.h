// Draws the next piece of a hypothesis from the model's distribution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/search.h"

namespace xformer {

/// Which draw it is: nothing else decides which random number it gets.
struct DrawKey {
  uint64_t sentence = 0, sample = 0, step = 0;
};

/// A number of [0, 1) that is a function of seed and key alone.
double uniform_draw(uint64_t seed, const DrawKey& key);

/// Draws one of the pieces 0, 1, ... with the given log-probabilities, leaving out those that are
/// blocked or impossible (-infinity). Returns -1 when none is left.
int32_t draw_piece(std::span<const float> log_probs, const std::vector<int32_t>& blocked,
                   const SamplingOptions& options, const DrawKey& key);

}  // namespace xformer
