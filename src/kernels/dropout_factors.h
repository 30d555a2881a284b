// The decisions of dropout, inlined into the kernels that apply them.
#pragma once

#include <algorithm>

#include "kernels/clones.h"
#include "kernels/dropout.h"

namespace xformer {

/// The factors of one block: scale where an element is kept, 0 where it is dropped. A function of
/// its own: inlined into a loop with much else, GCC 12 makes no vectors of it.
void draw_factors(const DropoutDraw& draw, int64_t block, float (&factors)[kDropoutBlock]);

/// Calls body(i, factor of i) for every element; whole blocks have a fixed length, so that they
/// become vector code.
template <class Body>
XFORMER_INLINE void for_each_element(const DropoutDraw& draw, int64_t begin, int64_t end,
                                     Body body) {
  float factors[kDropoutBlock];
  for (int64_t start = begin; start < end;) {
    const int64_t place = draw.first + start, offset = place % kDropoutBlock;
    const int64_t count = std::min(kDropoutBlock - offset, end - start);
    draw_factors(draw, place / kDropoutBlock, factors);
    if (count == kDropoutBlock) {
      for (int64_t i = 0; i < kDropoutBlock; ++i) body(start + i, factors[i]);
    } else {
      for (int64_t i = 0; i < count; ++i) body(start + i, factors[offset + i]);
    }
    start += count;
  }
}

}  // namespace xformer
