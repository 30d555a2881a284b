// Which pieces translate which: a lexicon learned from sentence pairs.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace xformer {

/// Word translation probabilities of IBM Model 1 (Brown et al. 1993), here of pieces.
class Lexicon {
 public:
  /// Remembers a pair for learn().
  void add(std::vector<int32_t> source, std::vector<int32_t> target);

  /// Expectation maximisation over all pairs, so many times.
  void learn(int iterations);

  /// For each of 0 .. source_pieces - 1 the target pieces that most probably translate it, at most
  /// `most`, best first.
  std::vector<std::vector<int32_t>> best(int64_t source_pieces, int64_t most) const;

 private:
  struct Entry {
    float probability = 1, count = 0;
  };
  static uint64_t key(int32_t source, int32_t target) {
    return static_cast<uint64_t>(source) << 32 | static_cast<uint32_t>(target);
  }

  struct Pair {
    std::vector<int32_t> source, target;
  };
  std::vector<Pair> pairs_;
  std::unordered_map<uint64_t, Entry> entries_;
};

}  // namespace xformer
