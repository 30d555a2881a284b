#include "train/noam_schedule.h"

#include "catch.h"

namespace xformer {

TEST_CASE("the rate rises to its peak at the end of warm-up, then falls") {
  CHECK(noam_rate(1, 512, 1.0, 4000) == Approx(1.746928107421711e-07));
  CHECK(noam_rate(4000, 512, 1.0, 4000) == Approx(0.0006987712429686843));
  CHECK(noam_rate(20000, 512, 1.0, 4000) == Approx(0.0003125));
  for (int64_t update = 1; update < 4000; ++update) {
    REQUIRE(noam_rate(update, 512, 1.0, 4000) < noam_rate(update + 1, 512, 1.0, 4000));
  }
  CHECK(noam_rate(4000, 512, 1.0, 4000) > noam_rate(4001, 512, 1.0, 4000));
}

TEST_CASE("with a warm-up of one update the rate falls from the first update") {
  CHECK(noam_rate(1, 256, 2.0, 1) == Approx(2.0 / 16));
  CHECK(noam_rate(4, 256, 2.0, 1) == Approx(1.0 / 16));
}

}  // namespace xformer
