// How many threads this process should run.
#pragma once

#include <cstdint>

namespace xformer {

/// As many as asked for; 0: OMP_NUM_THREADS if that is set, else one for each physical core that
/// this process may use, by its affinity and its control group's quota. At least 1.
int64_t threads_or_default(int64_t threads);

}  // namespace xformer
