// An encoded text as one file, written once and mapped ever after.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "runtime/atomic_file.h"
#include "runtime/file_descriptor.h"
#include "text/content_hash.h"
#include "text/line_reader.h"
#include "text/parallel_corpus.h"

namespace xformer {

/// What reading a text told besides its pairs.
struct CorpusNotes {
  CorpusCounts counts;
  LineOddities source_oddities, target_oddities;
};

/// Writes pairs in the layout of PairRows: ids (int32), offsets (uint64), then the notes, a
/// checksum over all before it, and the key. Memory does not grow with the number of pairs. The
/// file appears when finish() returns. Every member throws RunError.
class CorpusFileWriter {
 public:
  /// `key` is the hash of all that the content depends on: 32 characters.
  CorpusFileWriter(const std::filesystem::path& path, std::string key);
  void add(std::span<const int32_t> source, std::span<const int32_t> target);
  void finish(const CorpusNotes& notes);

 private:
  void write(std::string_view bytes);
  void copy_offsets();

  std::filesystem::path path_;
  std::string key_;
  AtomicFile file_;
  FileDescriptor spool_;       ///< the offsets, until all ids are written; without a name
  std::string ids_, offsets_;  ///< still to be written
  uint64_t ids_written_ = 0, rows_written_ = 0;
  ContentHash checksum_;
};

struct CorpusFile {
  ParallelCorpus corpus;
  CorpusNotes notes;
};

/// Maps what CorpusFileWriter wrote under `key`. Every byte is read once and checked. Nothing when
/// there is no such file, or when it is damaged or of another kind, which the log then tells.
std::optional<CorpusFile> open_corpus_file(const std::filesystem::path& path,
                                           const std::string& key);

}  // namespace xformer
