#include "scoring/bleu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "scoring/ngram_matcher.h"
#include "scoring/python_strings.h"
#include "scoring/tokenizer_13a.h"

namespace xformer {
namespace {

/// The tokens of one line, and the text that they point into.
class TokenizedLine {
 public:
  void assign(std::string_view line, const BleuOptions& options) {
    if (options.lowercase) {
      lowercased_ = lowercased(line);
      line = lowercased_;
    }
    text_ = tokenize_13a(strip_end(line));
    split_words(text_, words_);
  }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  std::string lowercased_, text_;
  std::vector<std::string_view> words_;
};

/// Counts line after line; its memory serves all of them.
class LineCounter {
 public:
  explicit LineCounter(const BleuOptions& options) : options_(options) {}

  BleuCounts count(std::string_view hypothesis, const std::vector<std::string_view>& references) {
    if (references.empty()) throw std::invalid_argument("BLEU needs at least one reference");
    hypothesis_.assign(hypothesis, options_);
    matcher_.set_hypothesis(hypothesis_.words());

    BleuCounts counts;
    const int64_t length = std::ssize(hypothesis_.words());
    counts.hypothesis_length = length;
    counts.reference_length = -1;
    for (const std::string_view reference : references) {
      reference_.assign(reference, options_);
      matcher_.add_reference(reference_.words());
      counts.reference_length =
          closer(length, std::ssize(reference_.words()), counts.reference_length);
    }
    for (int n = 1; n <= kBleuOrder; ++n)
      counts.total[n - 1] = std::max<int64_t>(length - n + 1, 0);
    matcher_.add_matches(counts.correct);
    return counts;
  }

 private:
  /// The one of two reference lengths that is nearer to `length`, the shorter one when both are as
  /// near. `other` is -1 as long as there is none.
  static int64_t closer(int64_t length, int64_t candidate, int64_t other) {
    if (other < 0) return candidate;
    const int64_t distance = std::abs(length - candidate),
                  other_distance = std::abs(length - other);
    if (distance == other_distance) return std::min(candidate, other);
    return distance < other_distance ? candidate : other;
  }

  BleuOptions options_;
  NgramMatcher matcher_{kBleuOrder};
  TokenizedLine hypothesis_, reference_;
};

double brevity_penalty(const BleuCounts& counts) {
  if (counts.hypothesis_length >= counts.reference_length) return 1;
  if (counts.hypothesis_length == 0) return 0;
  return std::exp(1 - static_cast<double>(counts.reference_length) / counts.hypothesis_length);
}

/// Percentages. The first order without a match counts as half a match, the next as a quarter, and
/// so on (NIST's smoothing). Orders for which every line is too short stay 0.
std::array<double, kBleuOrder> smoothed_precisions(const BleuCounts& counts) {
  std::array<double, kBleuOrder> precisions{};
  double smoothing = 1;
  for (int i = 0; i < kBleuOrder && counts.total[i] > 0; ++i) {
    if (counts.correct[i] > 0) {
      precisions[i] = 100.0 * counts.correct[i] / counts.total[i];
    } else {
      smoothing *= 2;
      precisions[i] = 100.0 / (smoothing * counts.total[i]);
    }
  }
  return precisions;
}

/// Logarithms of 0 are a very low number, as in sacreBLEU, so that the score becomes exactly 0.
double geometric_mean(const std::array<double, kBleuOrder>& precisions) {
  constexpr double kLogOfZero = -9999999999;
  double sum = 0;
  for (const double p : precisions) sum += p == 0 ? kLogOfZero : std::log(p);
  return std::exp(sum / kBleuOrder);
}

}  // namespace

BleuCounts count_line(std::string_view hypothesis, const std::vector<std::string_view>& references,
                      const BleuOptions& options) {
  return LineCounter(options).count(hypothesis, references);
}

BleuCounts& operator+=(BleuCounts& sum, const BleuCounts& line) {
  for (int i = 0; i < kBleuOrder; ++i) {
    sum.correct[i] += line.correct[i];
    sum.total[i] += line.total[i];
  }
  sum.hypothesis_length += line.hypothesis_length;
  sum.reference_length += line.reference_length;
  return sum;
}

BleuScore bleu(const BleuCounts& counts) {
  BleuScore result;
  result.counts = counts;
  result.brevity_penalty = brevity_penalty(counts);
  const bool any_match =
      std::any_of(counts.correct.begin(), counts.correct.end(), [](int64_t n) { return n > 0; });
  if (!any_match) return result;  // not smoothed
  result.precisions = smoothed_precisions(counts);
  result.score = result.brevity_penalty * geometric_mean(result.precisions);
  return result;
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const BleuOptions& options) {
  for (const auto& lines : references) {
    if (lines.size() == hypotheses.size()) continue;
    throw std::invalid_argument(fmt::format("BLEU of {} hypotheses against {} references",
                                            hypotheses.size(), lines.size()));
  }
  LineCounter counter(options);
  BleuCounts sum;
  std::vector<std::string_view> line_references(references.size());
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    for (size_t r = 0; r < references.size(); ++r) line_references[r] = references[r][i];
    sum += counter.count(hypotheses[i], line_references);
  }
  return bleu(sum);
}

std::string bleu_details(const BleuScore& score) {
  const auto& [correct, total, hypothesis_length, reference_length] = score.counts;
  const double ratio =
      reference_length == 0 ? 0 : static_cast<double>(hypothesis_length) / reference_length;
  const auto& p = score.precisions;
  return fmt::format(
      "{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})", p[0],
      p[1], p[2], p[3], score.brevity_penalty, ratio, hypothesis_length, reference_length);
}

std::string to_string(const BleuScore& score, std::string_view signature, int decimals) {
  return fmt::format("BLEU{}{} = {:.{}f} {}", signature.empty() ? "" : "|", signature, score.score,
                     decimals, bleu_details(score));
}

std::string bleu_signature(size_t references, const BleuOptions& options) {
  return fmt::format(
      "nrefs:{}|case:{}|eff:no|tok:13a|smooth:exp|version:xformer-{}-as-sacrebleu-2.6.0",
      references, options.lowercase ? "lc" : "mixed", XFORMER_VERSION);
}

}  // namespace xformer
