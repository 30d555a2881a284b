// Starts the processes of a training on this machine, as torchrun would.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xformer {

/// Runs `arguments` (the program's own, its name first) as `processes` processes with the variables
/// of process_environment.h, hands signals on to them, and ends them all when one fails. Returns
/// their exit status: 0, the first one's that failed, 1 when a signal killed it (which is said on
/// stderr, last), or 128 + n when signal n stopped this process and with it all others. They die
/// with this process. Nothing of LibTorch may have run before: its threads do not survive a fork.
int launch_processes(int64_t processes, const std::vector<std::string>& arguments);

}  // namespace xformer
