#include "runtime/libtorch_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "runtime/error.h"
#include "runtime/file_descriptor.h"

namespace xformer {

void become_libtorch_program(char** argv) {
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename("xformer-torch");
  // OpenMP reads it when it is loaded. A thread that spins while it waits for others takes their
  // time on a machine with other work to do, and gains nothing on one without.
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  execv(program.c_str(), argv);
  throw RunError(program.string() + ": cannot be run: " + system_reason(errno) +
                 ", it belongs beside xformer");
}

}  // namespace xformer
