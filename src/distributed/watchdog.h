// Ends every process of a training when one of them is gone, hangs or fails.
#pragma once

#include <memory>
#include <string>

#include "distributed/process_group.h"

namespace xformer {

/// Each process leaves a sign of life in the shared store twice a second and looks at those of the
/// others. It needs no meeting, so it also works while the main thread waits in one for a process
/// that will never come. A group of one process has nothing to watch.
class Watchdog {
 public:
  explicit Watchdog(const ProcessGroup& group);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// An orderly end, from which on the others may go away. To be called before the last meeting.
  void stop();
  /// Tells the others why this process ends and what exit status the training has, says it on
  /// stderr, and ends the process. When another one failed first, and this one only noticed, that
  /// one's reason and status are taken.
  [[noreturn]] void fail(const std::string& reason, int status);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace xformer
