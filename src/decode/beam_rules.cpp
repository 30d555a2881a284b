// How hypotheses leave the beam and sentences the batch, by whose rules.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "decode/beam_state.h"

namespace xformer {

void BeamState::retire_finished() {
  if (!keeps_width() || options_.sampling) {
    retire_narrowing();
  } else if (options_.rules == SearchRules::kCtranslate2) {
    retire_keeping_width();
  } else {
    retire_searching_on();
  }
}

/// Takes a hypothesis that has ended, by eos or by the limit, over into the results.
void BeamState::retire(Live& live) {
  auto& sentence = sentences_[live.sentence];
  const bool ended = live.ids.back() == options_.tokens.eos;
  const bool at_limit = length_ == sentence.max_length();
  if (ended) {
    live.ids.pop_back();
    if (options_.alignment) live.attended.pop_back();
  }
  const double log_prob = options_.knows_scores() ? live.log_prob : 0;
  (ended ? sentence.ended : sentence.cut)
      .push_back({.ids = std::move(live.ids),
                  .log_prob = log_prob,
                  .score = score(log_prob, length_),
                  .hit_limit = !ended || (at_limit && options_.force_eos),
                  .attended = std::move(live.attended)});
}

void BeamState::retire_narrowing() {
  std::erase_if(live_, [&](Live& live) {
    auto& sentence = sentences_[live.sentence];
    if (live.ids.back() != options_.tokens.eos && length_ < sentence.max_length()) return false;
    retire(live);
    --sentence.width;
    return true;
  });
}

/// The best half of a sentence's continuations is its beam; the place of one that ends goes to the
/// best spare one that does not.
void BeamState::retire_keeping_width() {
  std::vector<Live> kept;
  for_each_sentence([&](size_t begin, size_t end) {
    auto& sentence = sentences_[live_[begin].sentence];
    const bool last = length_ == sentence.max_length();
    const size_t beam_end = std::min(end, begin + static_cast<size_t>(sentence.width));
    size_t spare = beam_end;
    bool best_ended = false;
    for (size_t row = begin; row < beam_end; ++row) {
      auto& live = live_[row];
      if (live.ids.back() != options_.tokens.eos && !last) {
        kept.push_back(std::move(live));
        continue;
      }
      best_ended |= row == begin;
      retire(live);
      while (spare < end && live_[spare].ids.back() == options_.tokens.eos) ++spare;
      if (spare < end) kept.push_back(std::move(live_[spare++]));
    }
    const auto found = std::ssize(sentence.ended) + std::ssize(sentence.cut);
    const bool enough = options_.length_penalty == 0 ? best_ended && found >= options_.n_best
                                                     : found >= options_.beam_size;
    sentence.done = last || enough;
  });
  live_ = std::move(kept);
}

/// Of a sentence's continuations the best half may end, and as many as the beam is wide go on.
void BeamState::retire_searching_on() {
  std::vector<Live> kept;
  for_each_sentence([&](size_t begin, size_t end) {
    const auto& sentence = sentences_[live_[begin].sentence];
    const auto width = static_cast<size_t>(sentence.width);
    const bool last = length_ == sentence.max_length();
    size_t going_on = 0;
    for (size_t row = begin; row < end; ++row) {
      auto& live = live_[row];
      const bool ends = last || live.ids.back() == options_.tokens.eos;
      if (ends && row < begin + width) retire(live);
      if (!ends && going_on++ < width) kept.push_back(std::move(live));
    }
  });
  live_ = std::move(kept);
}

bool BeamState::settled(const Sentence& sentence, double best_live) const {
  if (options_.sampling) return false;
  if (options_.rules == SearchRules::kCtranslate2) return sentence.done;
  const bool searches_on = options_.rules == SearchRules::kHuggingFace;
  const auto wanted = static_cast<size_t>(searches_on ? options_.beam_size : options_.n_best);
  if (sentence.ended.size() < wanted) return false;
  std::vector<double> scores;
  for (const auto& hypothesis : sentence.ended) scores.push_back(hypothesis.score);
  std::ranges::nth_element(scores, scores.begin() + (wanted - 1), std::greater<>());
  return scores[wanted - 1] >= score(best_live, searches_on ? length_ : sentence.max_length());
}

double BeamState::score(double log_prob, int64_t length) const {
  const double alpha = options_.length_penalty;
  return log_prob / (options_.rules == SearchRules::kXformer
                         ? length_penalty(length, alpha)
                         : std::pow(static_cast<double>(length), alpha));
}

std::vector<std::vector<Hypothesis>> BeamState::results() && {
  std::vector<std::vector<Hypothesis>> results;
  for (auto& sentence : sentences_) {
    auto by_score = [](const auto& a, const auto& b) { return a.score > b.score; };
    auto best = std::move(sentence.ended);
    if (!keeps_width()) std::ranges::stable_sort(best, by_score);
    std::ranges::stable_sort(sentence.cut, by_score);
    std::ranges::move(sentence.cut, std::back_inserter(best));
    if (keeps_width()) std::ranges::stable_sort(best, by_score);
    if (std::ssize(best) > options_.n_best) best.resize(options_.n_best);
    results.push_back(std::move(best));
  }
  return results;
}

}  // namespace xformer
