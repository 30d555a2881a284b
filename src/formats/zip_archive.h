// Zip archives whose entries are stored as they are, which is what numpy and Marian write.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "runtime/mapped_file.h"

namespace xformer {

/// An archive of less than 4 GiB, mapped for reading.
class ZipArchive {
 public:
  /// Checks every length and offset, and each entry's CRC-32. Throws UserError naming the file and
  /// the reason when it is missing, damaged or no zip archive, or when an entry is compressed,
  /// encrypted or there twice.
  explicit ZipArchive(const std::filesystem::path& path);

  /// Bytes by name, valid as long as the archive lives.
  const std::map<std::string, std::span<const std::byte>>& entries() const { return entries_; }

 private:
  MappedFile file_;
  std::map<std::string, std::span<const std::byte>> entries_;
};

}  // namespace xformer
