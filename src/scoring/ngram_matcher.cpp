#include "scoring/ngram_matcher.h"

#include <algorithm>

namespace xformer {
namespace {

constexpr int32_t kEmptyNgram = 0;

uint64_t extended(int32_t ngram, int32_t token) {
  return uint64_t{static_cast<uint32_t>(ngram)} << 32 | static_cast<uint32_t>(token);
}

}  // namespace

void NgramMatcher::set_hypothesis(std::span<const int32_t> tokens) {
  ngrams_.reset(tokens.size() * max_order_);
  counts_.assign(1, Counts{});
  for (size_t begin = 0; begin < tokens.size(); ++begin) {
    const size_t end = std::min(begin + max_order_, tokens.size());
    int32_t ngram = kEmptyNgram;
    for (size_t i = begin; i < end; ++i) {
      ngram = ngrams_.add(extended(ngram, tokens[i]));
      if (static_cast<size_t>(ngram) == counts_.size()) {
        counts_.emplace_back().order = static_cast<int>(i - begin) + 1;
      }
      ++counts_[ngram].hypothesis;
    }
  }
}

void NgramMatcher::add_reference(std::span<const int32_t> tokens) {
  for (Counts& counts : counts_) counts.this_reference = 0;
  for (size_t begin = 0; begin < tokens.size(); ++begin) {
    const size_t end = std::min(begin + max_order_, tokens.size());
    int32_t ngram = kEmptyNgram;
    for (size_t i = begin; i < end; ++i) {
      ngram = ngrams_.find(extended(ngram, tokens[i]));
      if (ngram == DenseIds<uint64_t>::kUnknown) break;
      Counts& counts = counts_[ngram];
      counts.any_reference = std::max(counts.any_reference, ++counts.this_reference);
    }
  }
}

void NgramMatcher::add_matches(std::span<double> sums) const {
  for (size_t ngram = kEmptyNgram + 1; ngram < counts_.size(); ++ngram) {
    const Counts& counts = counts_[ngram];
    sums[counts.order - 1] +=
        static_cast<double>(std::min(counts.hypothesis, counts.any_reference));
  }
}

}  // namespace xformer
