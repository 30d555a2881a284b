#include "runtime/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "runtime/error.h"

namespace xformer {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw UserError(path.string() + ": cannot be read: " + reason);
}

struct stat status_of(int descriptor, const std::filesystem::path& path) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) refuse(path, system_reason(errno));
  return status;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

FileDescriptor open_to_read(const std::filesystem::path& path) {
  int number;
  do number = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  while (number < 0 && errno == EINTR);
  if (number < 0) refuse(path, system_reason(errno));
  if (S_ISDIR(status_of(number, path).st_mode)) {
    close(number);
    refuse(path, "it is a folder");
  }
  return FileDescriptor(number);
}

size_t file_size_of(const FileDescriptor& file, const std::filesystem::path& path) {
  return static_cast<size_t>(status_of(file.number(), path).st_size);
}

void read_at(const FileDescriptor& file, const std::filesystem::path& path, size_t offset,
             std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        pread(file.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, system_reason(errno));
    if (count == 0) refuse(path, "it ends too early");
    offset += static_cast<size_t>(count);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

void write_all(const FileDescriptor& file, const std::filesystem::path& path,
               std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw RunError(path.string() + ": cannot be written: " + system_reason(errno));
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

std::string system_reason(int error) {
  return std::generic_category().message(error);
}

}  // namespace xformer
