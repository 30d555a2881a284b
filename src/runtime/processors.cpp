#include "runtime/processors.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace xformer {
namespace {

/// What OMP_NUM_THREADS begins with: it may hold a list, a number for each level. 0: nothing.
int64_t threads_of_environment() {
  const char* value = std::getenv("OMP_NUM_THREADS");
  if (value == nullptr) return 0;
  const std::string_view text(value);
  int64_t threads = 0;
  std::from_chars(text.data(), text.data() + text.size(), threads);
  return threads;
}

/// The logical processors that share a core all name the same siblings.
std::string core_of(int processor) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                     "/topology/thread_siblings_list");
  std::string siblings;
  if (!std::getline(file, siblings)) siblings = "cpu" + std::to_string(processor);
  return siblings;
}

int64_t usable_cores() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) {
    return std::thread::hardware_concurrency();
  }
  std::set<std::string> cores;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &usable)) cores.insert(core_of(processor));
  }
  return std::ssize(cores);
}

/// Whole processors that the quota of a container amounts to, rounded up; without one `most`.
int64_t quota(int64_t most) {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double used = 0, period = 0;
  if (!(file >> used >> period) || period <= 0) return most;  // "max 100000", or no such file
  return static_cast<int64_t>(used / period + 0.999);
}

}  // namespace

int64_t threads_or_default(int64_t threads) {
  if (threads == 0) threads = threads_of_environment();
  if (threads > 0) return threads;
  const int64_t cores = usable_cores();
  return std::max<int64_t>(1, std::min(cores, quota(cores)));
}

}  // namespace xformer
