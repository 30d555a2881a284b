// Files that are never seen half written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace xformer {

/// A file that appears under its name only when commit() returns: until then the bytes go to a
/// neighbour with a temporary name, which is removed if commit() is never reached. A link is
/// followed; what is no ordinary file (/dev/stdout) cannot be replaced and is written at once.
/// Every member throws RunError with the file's name and the system's reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Flushes to the disk, renames over the final name, and flushes the folder.
  void commit();

 private:
  void open_temporary();

  std::filesystem::path path_, temporary_;  ///< temporary_ is empty when path_ is written at once
  int descriptor_ = -1;
};

/// Writes `text` as the whole content of `path`.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// Removes what writers that were killed left beside files of `folder`. What a living process still
/// writes, and every file that AtomicFile has not named, stays.
void remove_stale_temporaries(const std::filesystem::path& folder);

/// The whole content of a file. Throws UserError naming the file and the reason.
std::string read_file(const std::filesystem::path& path);

}  // namespace xformer
