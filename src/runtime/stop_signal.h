// SIGINT, SIGTERM and SIGHUP as a flag that long loops look at, so that they can save and leave.
#pragma once

namespace xformer {

/// From here on the first stop signal only sets the flag; a second one ends the process at once
/// with status 128 + its number. A system call that blocks when the signal comes returns EINTR
/// instead of going on. A SIGHUP that was ignored at the start (nohup) stays ignored. SIGPIPE is
/// ignored, so that a write to a closed pipe fails with EPIPE. Threads and child processes inherit
/// all this, an exec keeps only what is ignored.
void watch_stop_signals();

/// True once a stop signal has come.
bool stop_requested();

/// Thrown by work that has nothing to save when a stop was requested. main leaves with status
/// 128 + the signal's number.
struct Stopped {
  int signal = 0;
};
/// Throws Stopped once a stop signal has come.
void leave_if_stopped();

/// While it lives, the first stop signal ends the process as a second one does: for calls that
/// take long, cannot be interrupted and have nothing to save. Throws Stopped when one came before.
class StopAtOnce {
 public:
  StopAtOnce();
  ~StopAtOnce();
  StopAtOnce(const StopAtOnce&) = delete;
  StopAtOnce& operator=(const StopAtOnce&) = delete;
};

/// The number of the first stop signal, 0 as long as none has come.
int stop_signal();

}  // namespace xformer
