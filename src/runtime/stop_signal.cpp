#include "runtime/stop_signal.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace xformer {
namespace {

std::atomic<int> first_signal{0};
std::atomic<bool> stop_at_once{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler may not wait for a lock");

extern "C" void note_stop_signal(int number) {
  int none = 0;
  if (stop_at_once.load()) _exit(128 + number);
  if (!first_signal.compare_exchange_strong(none, number)) _exit(128 + number);
}

}  // namespace

void watch_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = note_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // no SA_RESTART: a blocked read has to return
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);

  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);

  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // writing fails instead, and says where
}

bool stop_requested() {
  return first_signal.load(std::memory_order_relaxed) != 0;
}

void leave_if_stopped() {
  if (stop_requested()) throw Stopped{stop_signal()};
}

StopAtOnce::StopAtOnce() {
  stop_at_once.store(true);
  if (stop_requested()) {
    stop_at_once.store(false);
    throw Stopped{stop_signal()};
  }
}

StopAtOnce::~StopAtOnce() {
  stop_at_once.store(false);
}

int stop_signal() {
  return first_signal.load(std::memory_order_relaxed);
}

}  // namespace xformer
