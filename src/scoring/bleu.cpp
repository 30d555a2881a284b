#include "scoring/bleu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "scoring/dense_ids.h"
#include "scoring/ngram_matcher.h"
#include "scoring/ngram_sorter.h"
#include "scoring/python_strings.h"

namespace xformer {
namespace {

/// Where the parts of a line's statistics begin.
constexpr size_t kHypothesisLength = 0, kReferenceLength = 1, kCorrect = 2,
                 kTotal = kCorrect + kBleuOrder;

/// The one of two reference lengths that is nearer to `length`, the shorter one when both are as
/// near. `other` is -1 as long as there is none.
int64_t closer(int64_t length, int64_t candidate, int64_t other) {
  if (other < 0) return candidate;
  const int64_t distance = std::abs(length - candidate), other_distance = std::abs(length - other);
  if (distance == other_distance) return std::min(candidate, other);
  return distance < other_distance ? candidate : other;
}

class BleuLineCounter : public LineCounter {
 public:
  BleuLineCounter(const BleuTokenizer& tokenizer, bool lowercase)
      : tokenizer_(tokenizer), lowercase_(lowercase) {}

  void count(std::string_view hypothesis, std::span<const std::string_view> references,
             std::span<double> statistics) override {
    split(hypothesis, hypothesis_);
    const int64_t length = std::ssize(hypothesis_.words);
    statistics[kHypothesisLength] = static_cast<double>(length);
    for (int n = 1; n <= kBleuOrder; ++n) {
      statistics[kTotal + n - 1] = static_cast<double>(std::max<int64_t>(length - n + 1, 0));
    }
    const auto correct = statistics.subspan(kCorrect, kBleuOrder);
    std::fill(correct.begin(), correct.end(), 0);
    const int64_t reference_length = references.size() == 1 ? match_one(references.front(), correct)
                                                            : match_all(references, correct);
    statistics[kReferenceLength] = static_cast<double>(reference_length);
  }

 private:
  void split(std::string_view line, LineWords& words) {
    if (lowercase_) {
      words.lowercased = lowercased(line);
      line = words.lowercased;
    }
    tokenizer_.split(strip_end(line), words);
  }

  /// Adds the matches with a single reference and returns its length.
  int64_t match_one(std::string_view reference, std::span<double> correct) {
    split(reference, reference_);
    ids_.reset(hypothesis_.words.size() + reference_.words.size());
    number_hypothesis();
    reference_ids_.clear();
    for (const std::string_view word : reference_.words) reference_ids_.push_back(ids_.add(word));
    if (NgramSorter::fits(ids_.size(), kBleuOrder)) {
      sorter_.add_matches(hypothesis_ids_, reference_ids_, ids_.size(), correct);
    } else {
      matcher_.set_hypothesis(hypothesis_ids_);
      matcher_.add_reference(reference_ids_);
      matcher_.add_matches(correct);
    }
    return std::ssize(reference_.words);
  }

  void number_hypothesis() {
    hypothesis_ids_.clear();
    for (const std::string_view word : hypothesis_.words) hypothesis_ids_.push_back(ids_.add(word));
  }

  /// Adds the matches with several references and returns the nearest length.
  int64_t match_all(std::span<const std::string_view> references, std::span<double> correct) {
    if (references.empty()) throw std::invalid_argument("BLEU needs at least one reference");
    ids_.reset(hypothesis_.words.size());
    number_hypothesis();
    matcher_.set_hypothesis(hypothesis_ids_);
    int64_t nearest = -1;
    for (const std::string_view reference : references) {
      split(reference, reference_);
      reference_ids_.clear();
      for (const auto word : reference_.words) reference_ids_.push_back(ids_.find(word));
      matcher_.add_reference(reference_ids_);
      nearest = closer(std::ssize(hypothesis_.words), std::ssize(reference_.words), nearest);
    }
    matcher_.add_matches(correct);
    return nearest;
  }

  const BleuTokenizer& tokenizer_;
  bool lowercase_;
  LineWords hypothesis_, reference_;
  DenseIds<std::string_view> ids_;
  std::vector<int32_t> hypothesis_ids_, reference_ids_;
  NgramSorter sorter_;
  NgramMatcher matcher_{kBleuOrder};
};

}  // namespace

Bleu::Bleu(const BleuOptions& options)
    : options_(options), tokenizer_(make_bleu_tokenizer(options.tokenizer, options.spm_model)) {}

std::string Bleu::signature() const {
  const BleuSmoothing& smoothing = options_.smoothing;
  const bool has_value =
      smoothing.method == Smoothing::kFloor || smoothing.method == Smoothing::kAddK;
  return fmt::format("case:{}|eff:{}|tok:{}|smooth:{}{}", options_.lowercase ? "lc" : "mixed",
                     smoothing.effective_order ? "yes" : "no", tokenizer_->signature(),
                     to_string(smoothing.method),
                     has_value ? fmt::format("[{:.2f}]", smoothing.value_or_default()) : "");
}

std::unique_ptr<LineCounter> Bleu::make_counter() const {
  return std::make_unique<BleuLineCounter>(*tokenizer_, options_.lowercase);
}

double Bleu::score(std::span<const double> sums) const {
  return bleu(bleu_counts(sums), options_.smoothing).score;
}

ResampledScore Bleu::score_of_singles(std::span<const float> sums) const {
  return {bleu_of_singles(sums, options_.smoothing), /*single=*/false};
}

double Bleu::score_of_integers(std::span<const double> sums) const {
  return bleu_of_integers(sums, options_.smoothing);
}

std::string Bleu::details(std::span<const double> sums) const {
  return bleu_details(bleu(bleu_counts(sums), options_.smoothing));
}

std::string Bleu::pitfall(std::span<const double> sums) const {
  if (options_.smoothing.effective_order || bleu_counts(sums).total.back() > 0) return {};
  return fmt::format("no line has {} tokens, so that BLEU is 0 however well they match",
                     kBleuOrder);
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const BleuOptions& options) {
  for (const auto& lines : references) {
    if (lines.size() == hypotheses.size()) continue;
    throw std::invalid_argument(fmt::format("BLEU of {} hypotheses against {} references",
                                            hypotheses.size(), lines.size()));
  }
  const Bleu metric(options);
  const auto counter = metric.make_counter();
  BleuCounts sum;
  std::array<double, kBleuWidth> statistics;
  std::vector<std::string_view> line_references(references.size());
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    for (size_t r = 0; r < references.size(); ++r) line_references[r] = references[r][i];
    counter->count(hypotheses[i], line_references, statistics);
    sum += bleu_counts(statistics);
  }
  return bleu(sum, options.smoothing);
}

}  // namespace xformer
