// Sentence pairs as piece ids: in memory, or in mapped files that take none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/mapped_file.h"
#include "text/length_batches.h"

namespace xformer {

/// What became of the pairs that were read.
struct CorpusCounts {
  int64_t read = 0, kept = 0, dropped_empty = 0, dropped_too_long = 0;
};

/// The rows of a corpus one behind the other, the source of pair i in row 2 i, its target in the
/// next: row r is ids[offsets[r], offsets[r + 1]). Both sides of a pair lie on the same page of a
/// mapped file.
struct PairRows {
  std::span<const int32_t> ids;
  std::span<const uint64_t> offsets;

  int64_t pairs() const { return static_cast<int64_t>(offsets.size() / 2); }
  std::span<const int32_t> row(int64_t r) const {
    return ids.subspan(offsets[r], offsets[r + 1] - offsets[r]);
  }
};

/// Pairs in memory, as they come.
class PairTable {
 public:
  void add(std::span<const int32_t> source, std::span<const int32_t> target);
  PairRows rows() const { return {ids_, offsets_}; }

 private:
  std::vector<int32_t> ids_;
  std::vector<uint64_t> offsets_{0};
};

/// Ids of every pair, without bos and eos, of one or several texts. Cheap to copy.
class ParallelCorpus {
 public:
  ParallelCorpus() = default;
  explicit ParallelCorpus(PairTable pairs);
  /// Rows that lie in `file`.
  ParallelCorpus(PairRows rows, std::shared_ptr<const MappedFile> file, const CorpusCounts& counts);

  /// Puts the pairs of another text behind; an epoch sees `weight` times as many pairs as it has.
  void append(const ParallelCorpus& other, double weight);

  int64_t size() const { return size_; }
  std::span<const int32_t> source(int64_t i) const { return row(i, 0); }
  std::span<const int32_t> target(int64_t i) const { return row(i, 1); }
  /// What reading gave, all texts together.
  const CorpusCounts& counts() const { return counts_; }
  /// The texts, for epoch_pairs.
  std::vector<WeightedPairs> texts() const;
  /// Gives back the memory that reading mapped pairs has taken; they stay valid.
  void release() const;

 private:
  struct Text {
    PairRows rows;
    std::shared_ptr<const PairTable> table;  ///< that holds the rows, or
    std::shared_ptr<const MappedFile> file;
    WeightedPairs pairs;
  };
  std::span<const int32_t> row(int64_t i, int64_t side) const;

  std::vector<Text> texts_;
  int64_t size_ = 0;
  CorpusCounts counts_;
};

/// Lengths as length_batches wants them: pieces of the source with its eos, pieces to predict.
std::vector<PairLength> pair_lengths(const ParallelCorpus& corpus);

}  // namespace xformer
