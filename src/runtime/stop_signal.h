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

/// The number of the first stop signal, 0 as long as none has come.
int stop_signal();

}  // namespace xformer
