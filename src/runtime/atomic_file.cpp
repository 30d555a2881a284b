#include "runtime/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <utility>

#include "runtime/error.h"
#include "runtime/file_descriptor.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// Marks our temporary files: "model.safetensors.xformer-tmp-4711-0".
constexpr std::string_view kMark = ".xformer-tmp-";

bool is_temporary_name(const std::string& name) {
  const size_t mark = name.rfind(kMark);
  if (mark == std::string::npos || mark == 0) return false;
  const std::string_view rest = std::string_view(name).substr(mark + kMark.size());
  return !rest.empty() && std::all_of(rest.begin(), rest.end(),
                                      [](unsigned char c) { return std::isdigit(c) || c == '-'; });
}

[[noreturn]] void fail(const fs::path& path, int error) {
  throw RunError(path.string() + ": cannot be written: " + system_reason(error));
}

/// Calls until no signal interrupts; throws when the call fails otherwise.
template <typename Call>
auto insist(const fs::path& path, Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0) return result;
    if (errno != EINTR) fail(path, errno);
  }
}

/// A writer holds this lock as long as it lives, however it dies. Where a file system has no locks,
/// temporary files are never taken for stale.
bool try_lock(int descriptor) {
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

bool has_name(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

/// Makes a rename in the folder last through a loss of power.
void flush_folder_of(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const FileDescriptor descriptor(
      insist(path, [&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  // EINVAL: a file system that cannot flush folders.
  if (fsync(descriptor.number()) != 0 && errno != EINVAL) fail(path, errno);
}

}  // namespace

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  if (fs::is_symlink(path_, error)) path_ = fs::weakly_canonical(path_, error);
  if (error && error != std::errc::no_such_file_or_directory) fail(path_, error.value());
  const fs::file_status status = fs::status(path_, error);
  if (fs::is_directory(status)) fail(path_, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    descriptor_ = insist(path_, [&] { return open(path_.c_str(), O_WRONLY | O_CLOEXEC); });
  } else {
    open_temporary();
  }
}

void AtomicFile::open_temporary() {
  for (int attempt = 0;; ++attempt) {
    temporary_ = path_;
    temporary_ += std::string(kMark) + std::to_string(getpid()) + "-" + std::to_string(attempt);
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST && errno != EINTR) fail(path_, errno);
    if (descriptor_ < 0) continue;
    // Before it was locked, another process may have taken the file for a stale one.
    try_lock(descriptor_);
    if (has_name(descriptor_)) return;
    close(descriptor_);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  close(descriptor_);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto count =
        insist(path_, [&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

void AtomicFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text.data(), text.size())));
}

void AtomicFile::commit() {
  if (temporary_.empty()) {
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0) fail(path_, errno);
    return;
  }
  insist(path_, [&] { return fsync(descriptor_); });
  insist(path_, [&] { return rename(temporary_.c_str(), path_.c_str()); });
  // The data is on the disk and the lock was for the temporary name.
  close(std::exchange(descriptor_, -1));
  flush_folder_of(path_);
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void remove_stale_temporaries(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!is_temporary_name(entry.path().filename().string())) continue;
    const int number = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (number < 0) continue;
    const FileDescriptor descriptor(number);
    if (try_lock(number)) unlink(entry.path().c_str());
  }
}

std::string read_file(const fs::path& path) {
  const FileDescriptor file = open_to_read(path);
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = read(file.number(), buffer, sizeof buffer);
    if (count == 0) return content;
    if (count > 0) {
      content.append(buffer, static_cast<size_t>(count));
    } else if (errno != EINTR) {
      throw UserError(path.string() + ": cannot be read: " + system_reason(errno));
    }
  }
}

}  // namespace xformer
