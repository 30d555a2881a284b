// Beam search; with a beam of one it is greedy search.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/step_decoder.h"

namespace xformer {

struct SearchOptions {
  int64_t beam_size = 1;
  double length_penalty = 0;  ///< alpha, 0 or more
  int64_t n_best = 1;         ///< at most beam_size
};

struct Hypothesis {
  std::vector<int32_t> ids{};  ///< without bos and eos
  double log_prob = 0;         ///< natural logarithm, summed over the pieces, eos included
  double score = 0;            ///< log_prob / length_penalty(pieces, eos counted)
  bool hit_limit = false;      ///< ended by the length limit, not by eos
};

/// ((5 + length) / 6)^alpha (Wu et al. 2016, equation 14).
double length_penalty(int64_t length, double alpha);

/// The n_best hypotheses of every source, best first; those that hit the limit come after those
/// that ended. max_lengths[i] bounds the pieces of sentence i, eos counted, at least 1. A
/// hypothesis that ends leaves the beam, which narrows by one. A sentence is done when its beam is
/// empty, or when no live hypothesis can still win: a sum of log-probabilities only falls, so sum /
/// length_penalty(max_length) bounds its score.
std::vector<std::vector<Hypothesis>> beam_search(StepDecoder& decoder,
                                                 const std::vector<std::vector<int32_t>>& sources,
                                                 const std::vector<int64_t>& max_lengths,
                                                 const SearchOptions& options);

}  // namespace xformer
