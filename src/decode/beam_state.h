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
  BeamState(const std::vector<SearchSource>& sources, const SearchOptions& options);

  bool done() const { return live_.empty(); }

  /// Gives the decoder its sources, a row for each hypothesis to begin with.
  void start(StepDecoder& decoder) const;

  /// Step 1: the next pieces that each live hypothesis proposes.
  Candidates expand(StepDecoder& decoder);
  /// Step 2: in every sentence, the best continuations, as many as its beam is wide; with sampling
  /// the one that each hypothesis has drawn.
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
    std::vector<int32_t> attended{};
    uint64_t sample = 0;  ///< which of its sentence's samples it is
  };
  struct Sentence {
    const SearchSource* source;
    int64_t width;      ///< places in the beam
    bool done = false;  ///< by CTranslate2's rules
    std::vector<Hypothesis> ended{}, cut{};

    /// Most pieces of a hypothesis, prefix and eos counted.
    int64_t max_length() const { return source->max_length + std::ssize(source->prefix); }
  };
  struct Continuation {
    size_t row;
    int32_t id;
    double log_prob;
  };

  /// Whether places of hypotheses that end go to others. A greedy search ends with its one
  /// hypothesis, whatever the rules.
  bool keeps_width() const {
    return options_.rules != SearchRules::kXformer && !options_.is_greedy();
  }
  /// The piece that the prefix of a row's sentence wants next, -1 behind its end.
  int32_t forced_piece(const Live& live) const;
  /// Whether the next piece is the last one, and can be nothing but eos.
  bool must_end(const Live& live) const;
  /// CTranslate2 takes an end that is not allowed yet out of the softmax.
  bool ends_have_no_share() const;
  void take_share_of_ends(Candidates& candidates) const;
  Candidates draw(StepDecoder& decoder) const;
  void propose(size_t row, const Candidates& candidates,
               std::vector<Continuation>& proposals) const;
  Live continued(const Continuation& continuation) const;
  void retire(Live& live);
  void retire_narrowing();
  void retire_keeping_width();
  void retire_searching_on();
  double score(double log_prob, int64_t length) const;
  bool settled(const Sentence& sentence, double best_live) const;
  /// Calls run(first row, row behind the last one) for every sentence.
  template <class Run>
  void for_each_sentence(Run run) const {
    for (size_t begin = 0, end; begin < live_.size(); begin = end) {
      for (end = begin; end < live_.size() && live_[end].sentence == live_[begin].sentence;) ++end;
      run(begin, end);
    }
  }

  SearchOptions options_;
  std::vector<Sentence> sentences_;
  std::vector<Live> live_;                     ///< grouped by sentence, best first within one
  std::vector<std::vector<int32_t>> blocked_;  ///< of each row; empty when nothing can be
  std::vector<int32_t> attended_;              ///< of each row
  int64_t length_ = 0;                         ///< pieces of every live hypothesis
};

}  // namespace xformer
