// The hypotheses of a batch of sentences while they are searched, and the four steps that move them
// on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "decode/search.h"
#include "decode/step_decoder.h"

namespace xformer {

class BeamState {
 public:
  BeamState(size_t sentences, const std::vector<int64_t>& max_lengths,
            const SearchOptions& options);

  bool done() const { return live_.empty(); }

  /// Step 1: the next pieces that each live hypothesis proposes.
  Candidates expand(StepDecoder& decoder) const;
  /// Step 2: in every sentence, the best continuations, as many as its beam is wide.
  void select_top(const Candidates& candidates);
  /// Step 3: those that end, by eos or by the limit, leave the beam.
  void retire_finished();
  /// Step 4: sentences that are settled leave the batch; the decoder keeps the rows that remain.
  void drop_done_sentences(StepDecoder& decoder);

  /// The n best of every sentence.
  std::vector<std::vector<Hypothesis>> results() &&;

 private:
  /// A live hypothesis, one row of the decoder.
  struct Live {
    size_t sentence;
    int64_t parent;  ///< its row before this step
    std::vector<int32_t> ids;
    double log_prob;
  };
  struct Sentence {
    int64_t max_length;
    int64_t width;  ///< free places in the beam
    std::vector<Hypothesis> ended{}, cut{};
  };

  double score(double log_prob, int64_t length) const;
  bool settled(const Sentence& sentence, double best_live) const;

  SearchOptions options_;
  std::vector<Sentence> sentences_;
  std::vector<Live> live_;  ///< grouped by sentence, best first within one
  int64_t length_ = 0;      ///< pieces of every live hypothesis
};

}  // namespace xformer
