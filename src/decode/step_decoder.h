// What search needs of a model, and nothing more: no tensors, so that search can be tested on a
// toy.
#pragma once

#include <cstdint>
#include <vector>

namespace xformer {

/// What a search wants to know of the next pieces.
struct Wanted {
  int64_t k = 1;  ///< candidates a row
  /// How many of them each row makes use of; empty: all. Which these are, and their
  /// log-probabilities, does not depend on k.
  std::vector<int64_t> own_k{};
  /// With false the log-probabilities may be off by a number that is the same for all of a row.
  bool exact = true;
  /// A piece for each row whose log-probability is told too, -1 for none; empty: none at all.
  std::vector<int32_t> forced{};
};

/// The best next pieces of every row, best first: row i has ids[i * k] ... ids[i * k + k - 1].
struct Candidates {
  int64_t k = 0;
  std::vector<int32_t> ids;
  std::vector<float>
      log_probs;  ///< natural logarithm; -infinity where there is no further candidate
  std::vector<float> forced{};  ///< of Wanted::forced; anything where that is -1
};

/// Decodes many hypotheses at once, a row each. Implemented by the plain model and by faster
/// engines.
class StepDecoder {
 public:
  virtual ~StepDecoder() = default;

  /// Begins with one row a source, piece ids without eos.
  virtual void start(const std::vector<std::vector<int32_t>>& sources) = 0;
  /// Appends tokens[i] to row i.
  virtual void advance(const std::vector<int32_t>& tokens) = 0;
  /// What may come next.
  virtual Candidates best(const Wanted& wanted) = 0;
  /// The log-probabilities of all pieces, (rows, V).
  virtual std::vector<float> log_probs() = 0;
  /// The place in its source that each row's next piece attends to most, eos left out.
  virtual std::vector<int32_t> attended() = 0;
  /// Makes row i a copy of what row rows[i] was; rows that are not named are dropped.
  virtual void select(const std::vector<int64_t>& rows) = 0;
};

}  // namespace xformer
