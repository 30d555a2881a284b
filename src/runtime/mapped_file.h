// A whole file as memory that the system fills on demand.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace xformer {

/// A file mapped for reading. It may be renamed, replaced by a rename or removed meanwhile, but not
/// shortened: touching bytes that are gone ends the process.
class MappedFile {
 public:
  /// Throws UserError naming the file and the reason when it cannot be read. An empty file is fine.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }
  /// Gives the memory of the pages touched so far back; they are filled again on demand.
  void release() const;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace xformer
