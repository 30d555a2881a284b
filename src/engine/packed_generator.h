// From hidden states to the best next pieces: projection, log-sum-exp and selection in one pass
// over parts of the vocabulary that stay in the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/step_decoder.h"
#include "engine/aligned_array.h"
#include "engine/generator_screen.h"
#include "engine/packed_linear.h"
#include "engine/shortlist.h"

namespace xformer {

class PackedGenerator {
 public:
  explicit PackedGenerator(const EngineTarget& target)
      : target_(target), screened_(target.instructions) {}

  /// x (rows, d_model); output i of the generator is piece i.
  Candidates best(const PackedLinear& generator, const InputRows& x, const Wanted& wanted);
  /// The same of an int8 generator: it finds twice as many candidates, and the float32 layer that
  /// it was made of decides among them.
  Candidates best(const PackedLinear& generator, const LinearPart& stored, const InputRows& x,
                  const Wanted& wanted);
  /// The best piece alone, without its log-probability.
  Candidates best(const PackedLinear& generator, const GeneratorScreen& screen, const InputRows& x);
  /// Row r chooses among the pieces of sentence sentences[r]; all others have no probability.
  Candidates best(const ShortlistedGenerator& shortlist, const std::vector<int32_t>& sentences,
                  const InputRows& x, const Wanted& wanted);
  /// (rows, outputs)
  std::vector<float> log_probs(const PackedLinear& generator, const InputRows& x);

 private:
  struct Scan;
  Candidates begin(const InputRows& x, int64_t k, const Wanted& wanted);
  Candidates all_candidates(const PackedLinear& generator, const InputRows& x,
                            const Wanted& wanted);
  void rescore(const LinearPart& stored, const InputRows& x, const Wanted& wanted,
               Candidates& found);
  void finish(const Wanted& wanted, Candidates& found) const;
  float log_sum_exp(const float* logits, int64_t count) const;
  void scan(const PackedLinear& generator, const InputRows& x, int64_t first, const Scan& scan);

  EngineTarget target_;
  ScreenedSearch screened_;
  AlignedArray<float> logits_, row_logits_;
  std::vector<LogitSummary> summaries_;
};

}  // namespace xformer
