// Sentence pairs as piece ids, in memory as two flat arrays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace xformer {

/// What became of the pairs that were read.
struct CorpusCounts {
  int64_t read = 0, kept = 0, dropped_empty = 0, dropped_too_long = 0;
};

/// Ids of every pair, without bos and eos.
class ParallelCorpus {
 public:
  int64_t size() const { return static_cast<int64_t>(source_offsets_.size()) - 1; }
  std::span<const int32_t> source(int64_t i) const;
  std::span<const int32_t> target(int64_t i) const;
  void add(std::span<const int32_t> source, std::span<const int32_t> target);

  CorpusCounts counts;

 private:
  std::vector<int32_t> source_ids_, target_ids_;
  std::vector<int64_t> source_offsets_{0}, target_offsets_{0};
};

struct CorpusFiles {
  std::filesystem::path source, target;
};

/// Throws UserError unless both files can be read, have as many lines as each other (naming both
/// counts), and have a line.
void require_parallel(const CorpusFiles& files);

/// Reads and encodes two files line by line. A pair is dropped, and counted, when a side has no
/// piece or more than `max_length` of them; 0 drops none for length. One log line says what was
/// read, kept and dropped, a warning when more than a tenth was. Throws UserError when the files
/// differ in length (naming both counts), or nothing is left.
ParallelCorpus read_parallel_corpus(const CorpusFiles& files, const Vocabulary& vocabulary,
                                    int64_t max_length);

/// Hash of the content of files, in hexadecimal: resume compares it to notice changed data.
std::string content_hash(const std::vector<std::filesystem::path>& files);

}  // namespace xformer
