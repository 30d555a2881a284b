#include "distributed/watchdog.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace xformer {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kBeat{500};
/// A process that shows nothing for so long is given up.
constexpr milliseconds kSilence{10'000};
/// Time to notice which process a connection was lost to.
constexpr milliseconds kNaming = 3 * kBeat;
/// How long the process that serves the store stays, so that the others can read why it ends.
constexpr milliseconds kLinger = 2 * kBeat + milliseconds{200};
constexpr const char* kFailureKey = "failure";
constexpr const char* kDone = "done";

std::vector<uint8_t> bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string text(const std::vector<uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

int64_t now() {
  return std::chrono::duration_cast<milliseconds>(Clock::now().time_since_epoch()).count();
}

std::string seconds(milliseconds duration) {
  return std::to_string(duration.count() / 1000) + " seconds";
}

/// What ended the training. In the store as "RANK STATUS REASON".
struct Failure {
  int64_t rank = 0;
  int status = 1;
  std::string reason;

  std::string packed() const {
    return std::to_string(rank) + ' ' + std::to_string(status) + ' ' + reason;
  }
  static Failure unpacked(const std::string& text) {
    const size_t first = text.find(' '), second = text.find(' ', first + 1);
    return {std::stoll(text), std::stoi(text.substr(first)), text.substr(second + 1)};
  }
};

/// A mistake of the user's or a stop signal is not one process' own.
bool concerns_all(int status) {
  return status != EXIT_FAILURE;
}

/// Without destructors: they may wait for the meeting that never comes.
[[noreturn]] void leave(const Failure& failure, bool say) {
  const bool stopped = failure.status > 128;
  if (say && !stopped) {
    const std::string rank =
        concerns_all(failure.status) ? "" : "process " + std::to_string(failure.rank) + ": ";
    const std::string line = "xformer: " + rank + failure.reason + "\n";
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0) {
      // Nobody is left to tell it to.
    }
  }
  std::_Exit(failure.status);
}

/// c10d's words for a connection that broke, which name an address and no process.
bool is_lost_connection(const std::string& reason) {
  for (const char* mark : {"gloo", "Connection", "pair closure", "NCCL", "socket"}) {
    if (reason.find(mark) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

struct Watchdog::State {
  explicit State(const ProcessGroup& group)
      : environment(group.environment()),
        // A connection of its own: a request that waits would keep others from the shared one.
        store(group.store()->clone()),
        seen(static_cast<size_t>(environment.size)),
        last(seen.size()) {
    for (auto& time : seen) time = now();
  }

  ProcessEnvironment environment;
  c10::intrusive_ptr<c10d::Store> store;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  std::vector<std::atomic<int64_t>> seen;  ///< when each process' sign last changed
  std::vector<std::string> last;           ///< those signs
  std::atomic<int64_t> store_answered{now()};
  std::atomic<int64_t> failing_since{0};
  std::thread beat, guard;

  static std::string sign_key(size_t rank) { return "sign/" + std::to_string(rank); }
  bool is_own(size_t rank) const { return static_cast<int64_t>(rank) == environment.rank; }

  /// False when the watch is over.
  bool wait_a_beat() {
    std::unique_lock lock(mutex);
    return !changed.wait_for(lock, kBeat, [&] { return stopping; });
  }

  bool is_stopping() {
    const std::lock_guard lock(mutex);
    return stopping;
  }

  std::optional<Failure> posted_failure() {
    if (!store->check({kFailureKey})) return std::nullopt;
    return Failure::unpacked(text(store->get(kFailureKey)));
  }

  void look_at_signs() {
    for (size_t r = 0; r < seen.size(); ++r) {
      if (is_own(r) || !store->check({sign_key(r)})) continue;
      const std::string sign = text(store->get(sign_key(r)));
      if (sign == last[r] && sign != kDone) continue;
      last[r] = sign;
      seen[r] = now();
    }
  }

  std::optional<size_t> silent_process(milliseconds silence) const {
    for (size_t r = 0; r < seen.size(); ++r) {
      if (!is_own(r) && now() - seen[r] > silence.count()) return r;
    }
    return std::nullopt;
  }

  void linger() const {
    if (environment.is_first()) std::this_thread::sleep_for(kLinger);
  }

  /// Whoever failed says it; for those who hear of it one process of each host repeats it.
  [[noreturn]] void follow(const Failure& failure) {
    linger();
    leave(failure, environment.is_first_of_host() && !concerns_all(failure.status));
  }

  /// The first failure counts; the one that is posted decides what is said.
  [[noreturn]] void post(const Failure& own) {
    Failure first = own;
    try {
      const auto posted = text(store->compareSet(kFailureKey, bytes(""), bytes(own.packed())));
      if (!posted.empty()) first = Failure::unpacked(posted);
      linger();
    } catch (const std::exception&) {
      // The store is gone, and the reason stays this process' own.
    }
    if (first.packed() != own.packed()) follow(first);
    leave(own, true);
  }

  void watch() {
    for (int64_t number = 1; wait_a_beat(); ++number) {
      if (failing_since != 0) return;  // fail() is at work
      try {
        store->set(sign_key(static_cast<size_t>(environment.rank)), bytes(std::to_string(number)));
        if (const auto failure = posted_failure()) follow(*failure);
        look_at_signs();
        store_answered = now();
      } catch (const std::exception&) {
        if (is_stopping()) return;
        leave({environment.rank, EXIT_FAILURE, "lost process 0, which is gone"}, true);
      }
      if (const auto silent = silent_process(kSilence)) {
        post({environment.rank, EXIT_FAILURE,
              "process " + std::to_string(*silent) + " gave no sign of life for " +
                  seconds(kSilence)});
      }
    }
  }

  /// A request to a store whose process is stopped is never answered: a thread that touches no
  /// network holds the clock.
  void guard_the_clock() {
    while (wait_a_beat()) {
      if (failing_since != 0 && now() - failing_since > kSilence.count()) {
        leave({environment.rank, EXIT_FAILURE, "failed, and process 0 does not answer"}, true);
      }
      if (failing_since == 0 && now() - store_answered > kSilence.count()) {
        leave(
            {environment.rank, EXIT_FAILURE, "process 0 has not answered for " + seconds(kSilence)},
            true);
      }
    }
  }
};

Watchdog::Watchdog(const ProcessGroup& group) {
  if (group.size() == 1) return;
  state_ = std::make_shared<State>(group);
  state_->beat = std::thread([state = state_.get()] { state->watch(); });
  state_->guard = std::thread([state = state_.get()] { state->guard_the_clock(); });
}

Watchdog::~Watchdog() {
  stop();
}

void Watchdog::stop() {
  if (!state_ || state_->is_stopping()) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_all();
  state_->beat.join();
  state_->guard.join();
  try {
    state_->store->set(State::sign_key(static_cast<size_t>(state_->environment.rank)),
                       bytes(kDone));
  } catch (const std::exception&) {
    // Then nobody looks any more.
  }
}

void Watchdog::fail(const std::string& reason, int status) {
  if (!state_) leave({0, status, reason}, true);
  State& state = *state_;
  Failure failure{state.environment.rank, status, reason};
  if (is_lost_connection(reason)) {
    // Meanwhile watch() ends this process if another one has posted the cause.
    std::this_thread::sleep_for(kNaming);
    if (const auto silent = state.silent_process(kNaming - kBeat)) {
      failure.reason = "process " + std::to_string(*silent) + " is gone or hangs (" + reason + ")";
    }
  }
  state.failing_since = now();
  state.post(failure);
}

}  // namespace xformer
