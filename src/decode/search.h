// Beam search; with a beam of one it is greedy search. And sampling, which goes the same steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/config.h"
#include "decode/step_decoder.h"

namespace xformer {

/// Every next piece is drawn from the model's distribution.
struct SamplingOptions {
  int64_t top_k = 0;       ///< draws from the k best pieces; 0: from all
  double top_p = 1;        ///< draws from the fewest best pieces that have this share together
  double temperature = 1;  ///< log-probabilities are divided by it, above 0
  uint64_t seed = 1;
};

struct SearchOptions {
  int64_t beam_size = 1;
  double length_penalty = 0;  ///< alpha, 0 or more
  int64_t n_best = 1;         ///< at most beam_size; with sampling: how many are drawn
  SearchRules rules = SearchRules::kXformer;
  int64_t min_length = 0;       ///< pieces before the end is allowed
  int64_t no_repeat_ngram = 0;  ///< n-grams of this order come once at most; 0: no such rule
  bool alignment = false;       ///< fill Hypothesis::attended
  bool scores = true;           ///< false: a greedy search may leave log_prob and score at 0
  bool force_eos = false;       ///< the last piece that the limit allows is eos, at no cost
  SpecialTokens tokens{};
  std::optional<SamplingOptions> sampling{};

  bool is_greedy() const { return beam_size == 1; }
  /// A greedy search may go without; a wider one compares by them. Without, what may never be
  /// chosen need not keep its share of the probability, whatever the rules.
  bool knows_scores() const { return scores || !is_greedy() || sampling; }
};

/// A sentence to be translated.
struct SearchSource {
  std::vector<int32_t> ids;       ///< without eos
  int64_t max_length = 0;         ///< most pieces behind the prefix, eos counted; at least 1
  std::vector<int32_t> prefix{};  ///< pieces that every hypothesis begins with
  uint64_t number = 0;            ///< tells sentences apart: sampling depends on it
};

struct Hypothesis {
  std::vector<int32_t> ids{};       ///< without bos and eos
  double log_prob = 0;              ///< natural logarithm, summed over the pieces, eos included
  double score = 0;                 ///< log_prob over the penalty of the length, eos counted
  bool hit_limit = false;           ///< ended by the length limit, not by eos
  std::vector<int32_t> attended{};  ///< for each piece the place in the source it looked at most
};

/// ((5 + length) / 6)^alpha (Wu et al. 2016, equation 14).
double length_penalty(int64_t length, double alpha);

/// The n_best hypotheses of every source, best first; by xformer's own rules those that hit the
/// limit come after those that ended, and the search ends by a bound: a sum of log-probabilities
/// only falls, so that sum / length_penalty(max_length) is the most that a live hypothesis can
/// still reach.
std::vector<std::vector<Hypothesis>> beam_search(StepDecoder& decoder,
                                                 const std::vector<SearchSource>& sources,
                                                 const SearchOptions& options);

}  // namespace xformer
