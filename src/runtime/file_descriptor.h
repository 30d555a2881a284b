// A file descriptor that closes itself, and the calls on it that a signal may not cut short.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace xformer {

/// Owns an open file of the system.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor();
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

/// Opens a file to be read. Throws UserError naming the file and the reason; a folder is refused
/// too.
FileDescriptor open_to_read(const std::filesystem::path& path);

/// The size in bytes of an open file. Throws UserError.
size_t file_size_of(const FileDescriptor& file, const std::filesystem::path& path);

/// Fills `bytes` from the place `offset` of the file. Throws UserError when the file ends before.
void read_at(const FileDescriptor& file, const std::filesystem::path& path, size_t offset,
             std::span<std::byte> bytes);

/// Writes all of `bytes` at the file's place. Throws RunError.
void write_all(const FileDescriptor& file, const std::filesystem::path& path,
               std::string_view bytes);

/// What the system says about the error number `error`.
std::string system_reason(int error);

}  // namespace xformer
