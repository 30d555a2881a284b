// The target pieces that a sentence's translation is looked for among: the frequent ones, and those
// that translate its pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "config/special_tokens.h"
#include "engine/packed_linear.h"

namespace xformer {

struct Shortlist {
  std::vector<int32_t> frequent;
  std::vector<std::vector<int32_t>> translations;  ///< of each source piece
  int32_t eos = kEos;

  /// Sorted, eos among them. A function of the sentence alone.
  std::vector<int32_t> pieces_for(const std::vector<int32_t>& source) const;
};

/// A generator for the pieces that a batch may need, and which of them each sentence may have.
struct ShortlistedGenerator {
  PackedLinear generator;                         ///< output i is piece pieces[i]
  std::vector<int32_t> pieces;                    ///< sorted
  std::vector<std::vector<int32_t>> of_sentence;  ///< outputs of the generator, sorted

  ShortlistedGenerator() = default;
  ShortlistedGenerator(const Shortlist& shortlist, const PackedLinear& whole,
                       const std::vector<std::vector<int32_t>>& sources);

  /// The generator's logits, a row for each of `sentences` -> log-probabilities of all
  /// `pieces`, each sentence's own summing to one and -infinity elsewhere: what a sentence gets
  /// does not depend on the others of its batch.
  std::vector<float> spread(const std::vector<float>& logits, const std::vector<int32_t>& sentences,
                            int64_t all_pieces) const;
};

}  // namespace xformer
