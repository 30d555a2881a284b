#include "runtime/processors.h"

#include <sched.h>

#include <cstdlib>

#include "catch.h"
#include "runtime/child_process.h"

using namespace xformer;

namespace {

/// The default in a process whose OMP_NUM_THREADS is `variable`; null: not set.
int default_with(const char* variable) {
  return status_of_child([&] {
    if (variable == nullptr) {
      unsetenv("OMP_NUM_THREADS");
    } else {
      setenv("OMP_NUM_THREADS", variable, /*replace=*/1);
    }
    return static_cast<int>(threads_or_default(0));
  });
}

}  // namespace

TEST_CASE("as many threads as asked for, whatever the machine has") {
  CHECK(threads_or_default(7) == 7);
}

TEST_CASE("OMP_NUM_THREADS is the default where it says a number") {
  CHECK(default_with("5") == 5);
  CHECK(default_with("3,2") == 3);
  CHECK(default_with("many") == default_with(nullptr));
}

TEST_CASE("a process that may use one processor runs one thread") {
  CHECK(status_of_child([] {
          unsetenv("OMP_NUM_THREADS");
          cpu_set_t one;
          CPU_ZERO(&one);
          CPU_SET(sched_getcpu(), &one);
          if (sched_setaffinity(0, sizeof one, &one) != 0) return 98;
          return static_cast<int>(threads_or_default(0));
        }) == 1);
}
