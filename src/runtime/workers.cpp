#include "runtime/workers.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace xformer {

void run_workers(size_t count, const std::function<void(size_t worker)>& run) {
  std::exception_ptr first;
  std::mutex mutex;
  const auto guarded = [&](size_t worker) {
    try {
      run(worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (size_t worker = 1; worker < count; ++worker) threads.emplace_back(guarded, worker);
    guarded(0);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace xformer
