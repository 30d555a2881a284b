// The same work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace xformer {

/// Calls run(worker) for worker 0 .. count - 1, each on a thread of its own, worker 0 on the
/// caller's, and returns when all have. The first exception is thrown again here.
void run_workers(size_t count, const std::function<void(size_t worker)>& run);

}  // namespace xformer
