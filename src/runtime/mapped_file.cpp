#include "runtime/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <utility>

#include "runtime/error.h"
#include "runtime/file_descriptor.h"

namespace xformer {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const FileDescriptor file = open_to_read(path);
  const size_t size = file_size_of(file, path);
  if (size == 0) return;  // the system maps no empty range
  void* memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (memory == MAP_FAILED)
    throw UserError(path.string() + ": cannot be mapped: " + system_reason(errno));
  bytes_ = {static_cast<const std::byte*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::release() const {
  // Of a shared mapping this takes pages from the process alone: the system may keep them at hand.
  if (!bytes_.empty()) madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace xformer
