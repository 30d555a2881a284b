#include "text/corpus_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/mapped_file.h"
#include "runtime/stop_signal.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHashSize = 32;  // characters
/// Ends with the version of the layout.
constexpr std::array<char, 16> kMagic = {'x', 'f', 'o', 'r', 'm', 'e', 'r', ' ',
                                         'p', 'a', 'i', 'r', 's', ' ', '0', '1'};
constexpr size_t kPortion = 1 << 20;  // bytes written or checked at a time

/// What stands between the offsets and the checksum. Numbers in the machine's own order: a cache is
/// not moved between machines.
struct Notes {
  std::array<char, 16> magic;
  int64_t pairs, ids;
  int64_t counts[4];
  int64_t oddities[2][5];
};
static_assert(sizeof(Notes) == 144, "no padding, whose bytes nobody sets");

template <class Object>
std::string_view bytes_of(const Object& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

void store(const LineOddities& oddities, int64_t (&place)[5]) {
  place[0] = oddities.invalid_utf8_lines;
  place[1] = oddities.first_invalid_utf8_line;
  place[2] = oddities.control_character_lines;
  place[3] = oddities.first_control_character_line;
  place[4] = oddities.byte_order_mark;
}

LineOddities oddities_from(const int64_t (&place)[5]) {
  return {.invalid_utf8_lines = place[0],
          .first_invalid_utf8_line = place[1],
          .control_character_lines = place[2],
          .first_control_character_line = place[3],
          .byte_order_mark = place[4] != 0};
}

/// A file without a name in the folder, gone with its last descriptor.
FileDescriptor unnamed_file_beside(const fs::path& path) {
  std::string name = path.string() + ".XXXXXX";
  const int number = mkstemp(name.data());
  if (number < 0) throw RunError(name + ": cannot be written: " + system_reason(errno));
  unlink(name.c_str());
  return FileDescriptor(number);
}

/// Where things lie in a file of this many pairs and ids; offsets are aligned to 8 bytes.
struct Layout {
  size_t ids, offsets_at, offsets, notes_at, checksum_at, key_at, size;
  Layout(uint64_t pairs, uint64_t id_count)
      : ids(id_count),
        offsets_at((id_count * sizeof(int32_t) + 7) / 8 * 8),
        offsets(2 * pairs + 1),
        notes_at(offsets_at + offsets * sizeof(uint64_t)),
        checksum_at(notes_at + sizeof(Notes)),
        key_at(checksum_at + kHashSize),
        size(key_at + kHashSize) {}
};

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

/// Of the first `size` bytes, whose pages are not kept.
std::string hash_of_start(const MappedFile& file, size_t size) {
  ContentHash hash;
  for (size_t at = 0; at < size; at += kPortion) {
    leave_if_stopped();
    hash.update(text_of(file).substr(at, std::min(kPortion, size - at)));
    file.release();
  }
  return hash.hex();
}

/// The layout of a file whose every byte is as it was written.
std::optional<Layout> checked_layout(const MappedFile& file, const std::string& key) {
  const std::string_view bytes = text_of(file);
  if (bytes.size() < Layout(0, 0).size) return std::nullopt;
  Notes notes;
  std::memcpy(&notes, bytes.data() + bytes.size() - 2 * kHashSize - sizeof notes, sizeof notes);
  const auto limit = static_cast<int64_t>(bytes.size());  // keeps the sums below from overflow
  if (notes.magic != kMagic || notes.pairs < 0 || notes.ids < 0 || notes.pairs > limit ||
      notes.ids > limit) {
    return std::nullopt;
  }
  const Layout layout(static_cast<uint64_t>(notes.pairs), static_cast<uint64_t>(notes.ids));
  const bool sound =
      layout.size == bytes.size() && bytes.substr(layout.key_at) == key &&
      hash_of_start(file, layout.checksum_at) == bytes.substr(layout.checksum_at, kHashSize);
  return sound ? std::optional(layout) : std::nullopt;
}

}  // namespace

CorpusFileWriter::CorpusFileWriter(const fs::path& path, std::string key)
    : path_(path), key_(std::move(key)), file_(path), spool_(unnamed_file_beside(path)) {
  const uint64_t first = 0;
  offsets_ += bytes_of(first);
}

void CorpusFileWriter::add(std::span<const int32_t> source, std::span<const int32_t> target) {
  for (const auto side : {source, target}) {
    ids_.append(reinterpret_cast<const char*>(side.data()), side.size_bytes());
    ids_written_ += side.size();
    ++rows_written_;
    offsets_ += bytes_of(ids_written_);
  }
  if (ids_.size() >= kPortion) {
    write(ids_);
    ids_.clear();
  }
  if (offsets_.size() >= kPortion) {
    write_all(spool_, path_, offsets_);
    offsets_.clear();
  }
}

void CorpusFileWriter::finish(const CorpusNotes& notes) {
  ids_.append(ids_written_ % 2 * sizeof(int32_t), '\0');
  write(ids_);
  copy_offsets();
  Notes stored{.magic = kMagic,
               .pairs = static_cast<int64_t>(rows_written_ / 2),
               .ids = static_cast<int64_t>(ids_written_),
               .counts = {notes.counts.read, notes.counts.kept, notes.counts.dropped_empty,
                          notes.counts.dropped_too_long},
               .oddities = {}};
  store(notes.source_oddities, stored.oddities[0]);
  store(notes.target_oddities, stored.oddities[1]);
  write(bytes_of(stored));
  file_.write(checksum_.hex());
  file_.write(key_);
  file_.commit();
}

void CorpusFileWriter::write(std::string_view bytes) {
  checksum_.update(bytes);
  file_.write(bytes);
}

void CorpusFileWriter::copy_offsets() {
  const size_t spooled = file_size_of(spool_, path_);
  std::string portion;
  for (size_t at = 0; at < spooled; at += portion.size()) {
    portion.resize(std::min(kPortion, spooled - at));
    read_at(spool_, path_, at, std::as_writable_bytes(std::span(portion)));
    write(portion);
  }
  write(offsets_);
}

std::optional<CorpusFile> open_corpus_file(const fs::path& path, const std::string& key) {
  if (!fs::exists(path)) return std::nullopt;
  const auto file = std::make_shared<const MappedFile>(path);
  const auto layout = checked_layout(*file, key);
  if (!layout) {
    spdlog::warn("{}: damaged or of another kind: the text is encoded again", path.string());
    return std::nullopt;
  }
  const char* start = text_of(*file).data();
  Notes notes;
  std::memcpy(&notes, start + layout->notes_at, sizeof notes);
  CorpusFile result;
  result.notes = {.counts = {.read = notes.counts[0],
                             .kept = notes.counts[1],
                             .dropped_empty = notes.counts[2],
                             .dropped_too_long = notes.counts[3]},
                  .source_oddities = oddities_from(notes.oddities[0]),
                  .target_oddities = oddities_from(notes.oddities[1])};
  const PairRows rows{
      .ids = {reinterpret_cast<const int32_t*>(start), layout->ids},
      .offsets = {reinterpret_cast<const uint64_t*>(start + layout->offsets_at), layout->offsets}};
  result.corpus = ParallelCorpus(rows, file, result.notes.counts);
  return result;
}

}  // namespace xformer
