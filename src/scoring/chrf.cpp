#include "scoring/chrf.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "scoring/chrf_sequences.h"
#include "scoring/ngram_matcher.h"
#include "scoring/ngram_sorter.h"
#include "scoring/numpy_float.h"
#include "scoring/python_strings.h"

namespace xformer {
namespace {

/// Each order has three statistics: n-grams of the hypothesis, of the reference, and of both.
constexpr size_t kPerOrder = 3;

size_t orders_of(const ChrfOptions& options) {
  return static_cast<size_t>(options.char_order + options.word_order);
}

/// F-score over the orders. Every operation is in sacreBLEU's order, since it is rounded.
template <typename Number, typename Sum>
Number f_score(std::span<const Sum> sums, const ChrfOptions& options) {
  const Number eps(1e-16), zero(0.0);
  const Number factor(static_cast<double>(options.beta) * options.beta),
      one_more(static_cast<double>(options.beta) * options.beta + 1);
  Number score = zero, precisions = zero, recalls = zero;
  int effective_order = 0;
  for (size_t i = 0; i < sums.size(); i += kPerOrder) {
    const Number in_hypothesis(sums[i]), in_reference(sums[i + 1]), in_both(sums[i + 2]);
    const Number precision = in_hypothesis > zero ? in_both / in_hypothesis : eps;
    const Number recall = in_reference > zero ? in_both / in_reference : eps;
    const Number denominator = factor * precision + recall;
    score += denominator > zero ? one_more * precision * recall / denominator : eps;
    if (in_hypothesis > zero && in_reference > zero) {
      precisions += precision;
      recalls += recall;
      ++effective_order;
    }
  }
  if (options.eps_smoothing) {
    return Number(100.0) * score / Number(static_cast<double>(orders_of(options)));
  }
  if (effective_order == 0) return zero;
  precisions /= Number(static_cast<double>(effective_order));
  recalls /= Number(static_cast<double>(effective_order));
  if (precisions + recalls == zero) return zero;
  score = one_more * precisions * recalls;
  score /= factor * precisions + recalls;
  return Number(100.0) * score;
}

/// How many n-grams of the order there are in a sequence.
double ngrams(size_t length, size_t order) {
  return length >= order ? static_cast<double>(length - order + 1) : 0;
}

class ChrfLineCounter : public LineCounter {
 public:
  explicit ChrfLineCounter(const ChrfOptions& options)
      : options_(options), characters_(options.char_order), words_(options.word_order) {}

  void count(std::string_view hypothesis, std::span<const std::string_view> references,
             std::span<double> statistics) override {
    std::string lower_hypothesis, lower_reference;
    if (options_.lowercase) hypothesis = lower_hypothesis = lowercased(hypothesis);
    double best = -1;
    for (std::string_view reference : references) {
      if (options_.lowercase) reference = lower_reference = lowercased(reference);
      if (references.size() == 1) return count_pair(hypothesis, reference, statistics);
      candidate_.resize(statistics.size());
      count_pair(hypothesis, reference, candidate_);
      const double f = f_score<double>(std::span<const double>(candidate_), options_);
      if (f <= best) continue;
      best = f;
      std::copy(candidate_.begin(), candidate_.end(), statistics.begin());
    }
  }

 private:
  /// The items of both sides, and what matches them.
  struct Level {
    explicit Level(int order) : order(order), matcher(order) {}
    int order;
    NgramMatcher matcher;
    std::vector<double> matches;
  };

  void count_pair(std::string_view hypothesis, std::string_view reference,
                  std::span<double> statistics) {
    pair_.number_characters(hypothesis, reference, options_.whitespace);
    count_level(characters_, statistics.first(kPerOrder * options_.char_order));
    if (options_.word_order == 0) return;
    pair_.number_words(hypothesis, reference);
    count_level(words_, statistics.subspan(kPerOrder * options_.char_order));
  }

  void count_level(Level& level, std::span<double> statistics) {
    const auto& hypothesis = pair_.hypothesis();
    const auto& reference = pair_.reference();
    level.matches.assign(level.order, 0);
    if (NgramSorter::fits(pair_.items(), level.order)) {
      sorter_.add_matches(hypothesis, reference, pair_.items(), level.matches);
    } else {
      level.matcher.set_hypothesis(hypothesis);
      level.matcher.add_reference(reference);
      level.matcher.add_matches(level.matches);
    }
    for (int order = 1; order <= level.order; ++order) {
      double* const counts = &statistics[kPerOrder * (order - 1)];
      counts[1] = ngrams(reference.size(), order);
      // Without n-grams in the reference, those of the hypothesis are no mistakes.
      counts[0] = counts[1] > 0 ? ngrams(hypothesis.size(), order) : 0;
      counts[2] = level.matches[order - 1];
    }
  }

  ChrfOptions options_;
  ChrfSequences pair_;
  NgramSorter sorter_;
  Level characters_, words_;
  std::vector<double> candidate_;
};

}  // namespace

std::string Chrf::name() const {
  return fmt::format("chrF{}{}", options_.beta, std::string(options_.word_order, '+'));
}

std::string Chrf::signature() const {
  return fmt::format("case:{}|eff:{}|nc:{}|nw:{}|space:{}", options_.lowercase ? "lc" : "mixed",
                     options_.eps_smoothing ? "no" : "yes", options_.char_order,
                     options_.word_order, options_.whitespace ? "yes" : "no");
}

size_t Chrf::width() const {
  return kPerOrder * orders_of(options_);
}

std::unique_ptr<LineCounter> Chrf::make_counter() const {
  return std::make_unique<ChrfLineCounter>(options_);
}

double Chrf::score(std::span<const double> sums) const {
  return f_score<double>(sums, options_);
}

ResampledScore Chrf::score_of_singles(std::span<const float> sums) const {
  const auto score = f_score<NumpyFloat>(sums, options_);
  return {static_cast<double>(score), score.is_single()};
}

}  // namespace xformer
