// A decoder with four words, whose every sequence can be listed.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "decode/search.h"
#include "text/tokenizer.h"

namespace xformer {

using Ids = std::vector<int32_t>;

/// The pieces that may be chosen: eos and four words.
inline const Ids kWords = {kEos, 4, 5, 6, 7};

/// log P(word | prefix) from a hash of prefix and source, so that any prefix has its own
/// distribution.
inline std::vector<double> next_log_probs(const Ids& source, const Ids& prefix) {
  size_t hash = source.empty() ? 0 : source[0];
  for (int32_t id : prefix) hash = hash * 31 + id;
  std::mt19937_64 random(hash * 7919 + prefix.size());
  std::vector<double> weights;
  double sum = 0;
  for (size_t i = 0; i < kWords.size(); ++i) {
    weights.push_back(1 + static_cast<double>(random() % 1000));
    sum += weights.back();
  }
  for (double& weight : weights) weight = std::log(weight / sum);
  return weights;
}

class ToyDecoder : public StepDecoder {
 public:
  void start(const std::vector<Ids>& sources) override {
    rows_.clear();
    for (const auto& source : sources) rows_.push_back({source, {}});
  }
  void advance(const Ids& tokens) override {
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (tokens[row] != kBos) rows_[row].prefix.push_back(tokens[row]);
    }
    steps += 1;
    widths.push_back(rows_.size());
  }
  Candidates best(const Wanted& wanted) override {
    const auto k = std::min<int64_t>(wanted.k, std::ssize(kWords));
    Candidates candidates{.k = k, .ids = {}, .log_probs = {}};
    for (size_t row = 0; row < rows_.size(); ++row) {
      const auto log_probs = next_log_probs(rows_[row].source, rows_[row].prefix);
      std::vector<size_t> order = {0, 1, 2, 3, 4};
      std::ranges::sort(order, std::greater<>(), [&](size_t i) { return log_probs[i]; });
      for (int64_t i = 0; i < k; ++i) {
        candidates.ids.push_back(kWords[order[i]]);
        candidates.log_probs.push_back(static_cast<float>(log_probs[order[i]]));
      }
      if (wanted.forced.empty()) continue;
      const auto forced = std::ranges::find(kWords, wanted.forced[row]);
      candidates.forced.push_back(
          forced == kWords.end() ? 0.0F : static_cast<float>(log_probs[forced - kWords.begin()]));
    }
    return candidates;
  }
  std::vector<float> log_probs() override {
    std::vector<float> all;
    for (const auto& row : rows_) {
      std::vector<float> pieces(kWords.back() + 1, -HUGE_VALF);
      const auto log_probs = next_log_probs(row.source, row.prefix);
      for (size_t i = 0; i < kWords.size(); ++i) {
        pieces[kWords[i]] = static_cast<float>(log_probs[i]);
      }
      all.insert(all.end(), pieces.begin(), pieces.end());
    }
    return all;
  }
  /// Each row looks at as many places as its prefix has pieces.
  std::vector<int32_t> attended() override {
    std::vector<int32_t> places;
    for (const auto& row : rows_) places.push_back(static_cast<int32_t>(row.prefix.size()));
    return places;
  }
  void select(const std::vector<int64_t>& rows) override {
    std::vector<Row> kept;
    for (int64_t row : rows) kept.push_back(rows_[row]);
    rows_ = std::move(kept);
  }

  int steps = 0;
  std::vector<size_t> widths;  ///< rows of each step

 private:
  struct Row {
    Ids source, prefix;
  };
  std::vector<Row> rows_;
};

inline std::vector<std::vector<Hypothesis>> search(ToyDecoder& decoder,
                                                   const std::vector<Ids>& sources,
                                                   const std::vector<int64_t>& limits,
                                                   const SearchOptions& options) {
  std::vector<SearchSource> sentences;
  for (size_t i = 0; i < sources.size(); ++i) {
    sentences.push_back({.ids = sources[i], .max_length = limits[i], .number = i});
  }
  return beam_search(decoder, sentences, options);
}

}  // namespace xformer
