#include "scoring/ter_shifts.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace xformer {
namespace {

constexpr size_t kMostWords = 10;
constexpr int64_t kMostPlaces = 50;
constexpr int64_t kMostTries = 1000;

}  // namespace

/// Tercom's ranking: most edits saved, longest, earliest, to the earliest place.
bool TerEdits::Shift::better_than(const Shift& other) const {
  return std::tuple(gain, length, other.start, other.target) >
         std::tuple(other.gain, other.length, start, target);
}

int64_t TerEdits::count(std::span<const int32_t> hypothesis, std::span<const int32_t> reference) {
  if (reference.empty()) return std::ssize(hypothesis);
  words_.assign(hypothesis.begin(), hypothesis.end());
  reference_.assign(reference.begin(), reference.end());
  distance_.start(hypothesis, reference);
  tries_ = 0;
  for (int64_t shifts = 0;; ++shifts) {
    const int64_t distance = distance_.set_base(words_);
    Shift best;
    const bool found = distance > 0 && find_best_shift(distance, best);
    if (!found || tries_ >= kMostTries || best.gain <= 0) return shifts + distance;
    shift(best);
    words_ = shifted_;
  }
}

/// Tries each stretch of words that the reference has elsewhere. False when there is none to try.
bool TerEdits::find_best_shift(int64_t distance, Shift& best) {
  align();
  bool found = false;
  const int64_t words = std::ssize(words_), references = std::ssize(reference_);
  for (int64_t start = 0; start < words; ++start) {
    const int64_t first = std::max<int64_t>(0, start - kMostPlaces),
                  last = std::min(references, start + kMostPlaces + 1);
    for (int64_t reference_start = first; reference_start < last; ++reference_start) {
      const auto most = static_cast<int64_t>(kMostWords);
      const int64_t limit = std::min({most, words - start, references - reference_start});
      bool word_wrong = false, reference_wrong = false;
      for (int64_t length = 1; length <= limit; ++length) {
        const int64_t end = start + length - 1, reference_end = reference_start + length - 1;
        if (words_[end] != reference_[reference_end]) break;
        word_wrong |= word_is_wrong_[end] != 0;
        reference_wrong |= reference_is_wrong_[reference_end] != 0;
        if (!word_wrong || !reference_wrong) continue;
        // Not into itself.
        const int64_t aligned = aligned_[reference_start];
        if (aligned >= start && aligned < start + length) continue;
        try_targets(start, reference_start, length, distance, best, found);
        if (tries_ >= kMostTries) return found;
      }
    }
  }
  return found;
}

/// Which words are wrong, and what each word of the reference is aligned with, along the cheapest
/// edits of the words as they stand.
void TerEdits::align() {
  aligned_.clear();
  word_is_wrong_.clear();
  reference_is_wrong_.clear();
  for (const Edit edit : distance_.trace_base()) {
    if (edit == Edit::kDelete) {
      word_is_wrong_.push_back(1);
      continue;
    }
    bool wrong = true;
    if (edit == Edit::kKeepOrSubstitute) {
      wrong = words_[word_is_wrong_.size()] != reference_[reference_is_wrong_.size()];
      word_is_wrong_.push_back(wrong);
    }
    aligned_.push_back(std::ssize(word_is_wrong_) - 1);
    reference_is_wrong_.push_back(wrong);
  }
}

/// Moves the words in front of, into and behind where their counterparts in the reference are
/// aligned, and keeps the best.
void TerEdits::try_targets(size_t start, size_t reference_start, size_t length, int64_t distance,
                           Shift& best, bool& found) {
  int64_t last_target = -1;
  for (size_t offset = 0; offset <= length; ++offset) {
    // The word of the reference before the place; before the first one, the place is 0.
    const size_t before = reference_start + offset;
    const int64_t target = before == 0 ? 0 : aligned_[before - 1] + 1;
    if (target == last_target) continue;
    last_target = target;
    Shift candidate{start, length, static_cast<size_t>(target), 0};
    shift(candidate);
    candidate.gain = distance - distance_.distance(shifted_);
    ++tries_;
    if (found && !candidate.better_than(best)) continue;
    best = candidate;
    found = true;
  }
}

/// Writes the words to shifted_ with those of `shift` moved. A target inside them counts from their
/// start, in the words behind them.
void TerEdits::shift(const Shift& shift) {
  const auto [start, length, target, gain] = shift;
  const auto begin = words_.begin() + start, end = begin + length;
  shifted_.assign(words_.begin(), words_.end());
  if (target < start) {
    const auto to = std::copy(begin, end, shifted_.begin() + target);
    std::copy(words_.begin() + target, begin, to);
    return;
  }
  const size_t behind = target > start + length ? target : target + length;
  const auto last = words_.begin() + std::min(behind, words_.size());
  const auto to = std::copy(end, std::max(end, last), shifted_.begin() + start);
  std::copy(begin, end, to);
}

}  // namespace xformer
