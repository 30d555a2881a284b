#include "runtime/libtorch_program.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "runtime/error.h"
#include "runtime/file_descriptor.h"

namespace xformer {

void become_libtorch_program(char** argv) {
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename("xformer-torch");
  execv(program.c_str(), argv);
  throw RunError(program.string() + ": cannot be run: " + system_reason(errno) +
                 ", it belongs beside xformer");
}

}  // namespace xformer
