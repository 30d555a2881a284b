#include "formats/zip_archive.h"

#include <zlib.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "config/json_text.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;

constexpr uint32_t kLocalEntry = 0x04034b50, kDirectoryEntry = 0x02014b50,
                   kEndOfDirectory = 0x06054b50;
constexpr size_t kEndSize = 22, kLongestComment = 0xFFFF;
constexpr uint32_t kElsewhere = 0xFFFFFFFF;  ///< the number is in an extension for large files
constexpr uint16_t kStored = 0, kEncrypted = 1;

class ArchiveReader {
 public:
  ArchiveReader(const fs::path& path, Bytes bytes) : path_(path), bytes_(bytes) {}

  std::map<std::string, Bytes> read() {
    at_ = find_end();
    skip(10);  // the mark, numbers of disks, entries on this one
    const auto count = number<uint16_t>();
    skip(4);  // the directory's size
    at_ = number<uint32_t>();
    std::map<std::string, Bytes> entries;
    for (uint16_t i = 0; i < count; ++i) {
      const Entry entry = read_directory_entry();
      if (!entries.emplace(entry.name, content_of(entry)).second) {
        refuse(shown_key(entry.name) + " is there twice");
      }
    }
    return entries;
  }

 private:
  struct Entry {
    std::string name;
    uint32_t checksum, size, offset;
  };

  [[noreturn]] void refuse(const std::string& reason) const {
    throw UserError(path_.string() + ": is damaged or no .npz file: " + reason);
  }

  Bytes take(size_t size) {
    if (at_ > bytes_.size() || size > bytes_.size() - at_) refuse("it ends too soon");
    const auto taken = bytes_.subspan(at_, size);
    at_ += size;
    return taken;
  }
  void skip(size_t size) { take(size); }

  template <class Number>
  Number number() {
    static_assert(std::endian::native == std::endian::little);
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  /// The end of the directory lies at the end of the file, before a comment of unknown length.
  size_t find_end() const {
    for (size_t comment = 0; comment <= kLongestComment; ++comment) {
      if (bytes_.size() < kEndSize + comment) break;
      const size_t at = bytes_.size() - kEndSize - comment;
      uint32_t mark;
      std::memcpy(&mark, bytes_.data() + at, sizeof mark);
      if (mark == kEndOfDirectory) return at;
    }
    refuse("it has no directory of a zip archive");
  }

  Entry read_directory_entry() {
    if (number<uint32_t>() != kDirectoryEntry) refuse("its directory is not where it should be");
    skip(4);  // versions
    const auto flags = number<uint16_t>(), method = number<uint16_t>();
    skip(4);  // time
    Entry entry;
    entry.checksum = number<uint32_t>();
    const auto stored_size = number<uint32_t>();
    entry.size = number<uint32_t>();
    const auto name_size = number<uint16_t>(), extra_size = number<uint16_t>(),
               comment_size = number<uint16_t>();
    skip(8);  // disk, attributes
    entry.offset = number<uint32_t>();
    const auto name = take(name_size);
    entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    skip(extra_size + comment_size);
    check(entry, flags, method, stored_size);
    return entry;
  }

  void check(const Entry& entry, uint16_t flags, uint16_t method, uint32_t stored_size) const {
    const auto name = shown_key(entry.name);
    if (flags & kEncrypted) refuse(name + " is encrypted");
    if (method != kStored)
      refuse(name + " is compressed, must be stored: write it with numpy.savez");
    if (entry.size == kElsewhere || entry.offset == kElsewhere) refuse(name + " exceeds 4 GiB");
    if (stored_size != entry.size) refuse(name + " has two sizes");
  }

  Bytes content_of(const Entry& entry) {
    const size_t next = at_;
    at_ = entry.offset;
    if (number<uint32_t>() != kLocalEntry)
      refuse(shown_key(entry.name) + " is not where it should be");
    skip(22);  // what the directory told as well
    const auto name_size = number<uint16_t>(), extra_size = number<uint16_t>();
    skip(name_size + extra_size);
    const auto content = take(entry.size);
    const auto checksum =
        crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    if (checksum != entry.checksum) refuse(shown_key(entry.name) + " has another checksum");
    at_ = next;
    return content;
  }

  const fs::path& path_;
  Bytes bytes_;
  size_t at_ = 0;
};

}  // namespace

ZipArchive::ZipArchive(const fs::path& path)
    : file_(path), entries_(ArchiveReader(path, file_.bytes()).read()) {}

}  // namespace xformer
