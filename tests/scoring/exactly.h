// Equality of scores up to the rounding of a double.
#pragma once

#include "catch.h"

namespace xformer {

inline Approx exactly(double value) {
  return Approx(value).epsilon(0).margin(1e-12);
}

}  // namespace xformer
