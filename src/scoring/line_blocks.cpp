#include "scoring/line_blocks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/stop_signal.h"

namespace xformer {

void for_each_block(size_t items, size_t block, size_t threads,
                    const std::function<BlockWorker()>& make_worker) {
  std::atomic<size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      const BlockWorker worker = make_worker();
      for (size_t begin; (begin = next.fetch_add(block)) < items && !stop_requested();) {
        worker(begin, std::min(begin + block, items));
      }
    } catch (...) {
      next = items;
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  const size_t blocks = (items + block - 1) / block;
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min(threads, blocks); ++i) others.emplace_back(work);
  work();
  others.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

size_t threads_or_default(size_t threads) {
  return threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace xformer
