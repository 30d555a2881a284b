#include "decode/beam_state.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "text/tokenizer.h"

namespace xformer {

BeamState::BeamState(size_t sentences, const std::vector<int64_t>& max_lengths,
                     const SearchOptions& options)
    : options_(options) {
  for (size_t i = 0; i < sentences; ++i) {
    sentences_.push_back({.max_length = max_lengths[i], .width = options.beam_size});
    live_.push_back({.sentence = i, .parent = 0, .ids = {}, .log_prob = 0});
  }
}

Candidates BeamState::expand(StepDecoder& decoder) const {
  std::vector<int32_t> last;
  last.reserve(live_.size());
  for (const auto& hypothesis : live_) {
    last.push_back(hypothesis.ids.empty() ? kBos : hypothesis.ids.back());
  }
  return decoder.step(last, options_.beam_size);
}

void BeamState::select_top(const Candidates& candidates) {
  struct Continuation {
    size_t row;
    int32_t id;
    double log_prob;
  };
  std::vector<Live> next;
  std::vector<Continuation> proposals;
  for (size_t begin = 0, end; begin < live_.size(); begin = end) {
    const size_t sentence = live_[begin].sentence;
    proposals.clear();
    for (end = begin; end < live_.size() && live_[end].sentence == sentence; ++end) {
      for (size_t c = end * candidates.k; c < (end + 1) * candidates.k; ++c) {
        if (std::isinf(candidates.log_probs[c])) break;
        proposals.push_back(
            {end, candidates.ids[c], live_[end].log_prob + candidates.log_probs[c]});
      }
    }
    const auto count = std::min<size_t>(proposals.size(), sentences_[sentence].width);
    std::ranges::partial_sort(proposals, proposals.begin() + count, [](auto& a, auto& b) {
      // Equal sums keep the order of rows and ids, so that the result depends on nothing else.
      if (a.log_prob != b.log_prob) return a.log_prob > b.log_prob;
      return a.row != b.row ? a.row < b.row : a.id < b.id;
    });
    for (size_t i = 0; i < count; ++i) {
      const auto& [row, id, log_prob] = proposals[i];
      Live live{sentence, static_cast<int64_t>(row), live_[row].ids, log_prob};
      live.ids.push_back(id);
      next.push_back(std::move(live));
    }
  }
  live_ = std::move(next);
  ++length_;
}

void BeamState::retire_finished() {
  std::erase_if(live_, [&](Live& live) {
    auto& sentence = sentences_[live.sentence];
    const bool ended = live.ids.back() == kEos, cut = !ended && length_ == sentence.max_length;
    if (!ended && !cut) return false;
    if (ended) live.ids.pop_back();
    --sentence.width;
    (ended ? sentence.ended : sentence.cut)
        .push_back({.ids = std::move(live.ids),
                    .log_prob = live.log_prob,
                    .score = score(live.log_prob, length_),
                    .hit_limit = cut});
    return true;
  });
}

void BeamState::drop_done_sentences(StepDecoder& decoder) {
  std::vector<Live> kept;
  std::vector<int64_t> rows;
  for (size_t begin = 0, end; begin < live_.size(); begin = end) {
    const size_t sentence = live_[begin].sentence;
    for (end = begin; end < live_.size() && live_[end].sentence == sentence;) ++end;
    if (settled(sentences_[sentence], live_[begin].log_prob)) continue;
    for (size_t row = begin; row < end; ++row) {
      rows.push_back(live_[row].parent);
      kept.push_back(std::move(live_[row]));
    }
  }
  live_ = std::move(kept);
  if (!live_.empty()) decoder.select(rows);
}

bool BeamState::settled(const Sentence& sentence, double best_live) const {
  const auto wanted = static_cast<size_t>(options_.n_best);
  if (sentence.ended.size() < wanted) return false;
  std::vector<double> scores;
  for (const auto& hypothesis : sentence.ended) scores.push_back(hypothesis.score);
  std::ranges::nth_element(scores, scores.begin() + (wanted - 1), std::greater<>());
  return scores[wanted - 1] >= score(best_live, sentence.max_length);
}

double BeamState::score(double log_prob, int64_t length) const {
  return log_prob / length_penalty(length, options_.length_penalty);
}

std::vector<std::vector<Hypothesis>> BeamState::results() && {
  std::vector<std::vector<Hypothesis>> results;
  for (auto& sentence : sentences_) {
    auto by_score = [](const auto& a, const auto& b) { return a.score > b.score; };
    std::ranges::stable_sort(sentence.ended, by_score);
    std::ranges::stable_sort(sentence.cut, by_score);
    auto best = std::move(sentence.ended);
    std::ranges::move(sentence.cut, std::back_inserter(best));
    if (std::ssize(best) > options_.n_best) best.resize(options_.n_best);
    results.push_back(std::move(best));
  }
  return results;
}

}  // namespace xformer
