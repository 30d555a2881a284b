// What search needs of a model, and nothing more: no tensors, so that search can be tested on a
// toy.
#pragma once

#include <cstdint>
#include <vector>

namespace xformer {

/// The best next pieces of every row, best first: row i has ids[i * k] ... ids[i * k + k - 1].
struct Candidates {
  int64_t k = 0;
  std::vector<int32_t> ids;
  std::vector<float>
      log_probs;  ///< natural logarithm; -infinity where there is no further candidate
};

/// Decodes many hypotheses at once, a row each. Implemented by the plain model and by faster
/// engines.
class StepDecoder {
 public:
  virtual ~StepDecoder() = default;

  /// Begins with one row a source, piece ids without eos.
  virtual void start(const std::vector<std::vector<int32_t>>& sources) = 0;
  /// Appends tokens[i] to row i, then tells the k best pieces after it.
  virtual Candidates step(const std::vector<int32_t>& tokens, int64_t k) = 0;
  /// Makes row i a copy of what row rows[i] was; rows that are not named are dropped.
  virtual void select(const std::vector<int64_t>& rows) = 0;
};

}  // namespace xformer
