#include "runtime/line_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include "runtime/error.h"
#include "runtime/file_descriptor.h"

namespace xformer {

LineWriter::LineWriter()
    : name_("standard output"), descriptor_(STDOUT_FILENO), owns_descriptor_(false) {}

LineWriter::LineWriter(const std::filesystem::path& path)
    : name_(path.string()),
      descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
      owns_descriptor_(true) {
  if (descriptor_ < 0) {
    throw UserError(name_ + ": cannot be written: " + system_reason(errno));
  }
}

LineWriter::~LineWriter() {
  if (owns_descriptor_) close(descriptor_);
}

void LineWriter::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe{};
    } else if (errno == EAGAIN) {
      pollfd room{.fd = descriptor_, .events = POLLOUT, .revents = 0};
      poll(&room, 1, /*timeout=*/-1);
    } else if (errno != EINTR) {
      throw RunError(name_ + ": cannot be written: " + system_reason(errno));
    }
  }
}

}  // namespace xformer
