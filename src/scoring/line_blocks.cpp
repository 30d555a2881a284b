#include "scoring/line_blocks.h"

#include <algorithm>
#include <atomic>

#include "runtime/stop_signal.h"
#include "runtime/thread_team.h"

namespace xformer {

void for_each_block(size_t items, size_t block, size_t threads,
                    const std::function<BlockWorker()>& make_worker) {
  std::atomic<size_t> next{0};
  const auto work = [&](int64_t) {
    try {
      const BlockWorker worker = make_worker();
      for (size_t begin; (begin = next.fetch_add(block)) < items && !stop_requested();) {
        worker(begin, std::min(begin + block, items));
      }
    } catch (...) {
      next = items;
      throw;
    }
  };
  const size_t blocks = (items + block - 1) / block;
  ThreadTeam(std::max<int64_t>(1, std::min(threads, blocks))).run(work);
}

}  // namespace xformer
