#include "scoring/ter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "scoring/dense_ids.h"
#include "scoring/numpy_float.h"
#include "scoring/python_strings.h"
#include "scoring/ter_shifts.h"

namespace xformer {
namespace {

class TerLineCounter : public LineCounter {
 public:
  explicit TerLineCounter(const TerTokenizerOptions& options) : options_(options) {}

  void count(std::string_view hypothesis, std::span<const std::string_view> references,
             std::span<double> statistics) override {
    split(hypothesis, hypothesis_);
    int64_t length = 0, fewest_edits = std::numeric_limits<int64_t>::max();
    for (const std::string_view reference : references) {
      split(reference, reference_);
      number_words();
      length += std::ssize(reference_.words);
      fewest_edits = std::min(fewest_edits, edits_.count(hypothesis_ids_, reference_ids_));
    }
    statistics[0] = static_cast<double>(fewest_edits);
    statistics[1] = static_cast<double>(length) / static_cast<double>(references.size());
  }

 private:
  struct Words {
    std::string text;
    std::vector<std::string_view> words;
  };

  void split(std::string_view line, Words& result) const {
    result.text = tokenize_ter(strip_end(line), options_);
    split_words(result.text, result.words);
  }

  void number_words() {
    ids_.reset(hypothesis_.words.size() + reference_.words.size());
    hypothesis_ids_.clear();
    reference_ids_.clear();
    for (const auto word : hypothesis_.words) hypothesis_ids_.push_back(ids_.add(word));
    for (const auto word : reference_.words) reference_ids_.push_back(ids_.add(word));
  }

  TerTokenizerOptions options_;
  Words hypothesis_, reference_;
  DenseIds<std::string_view> ids_;
  std::vector<int32_t> hypothesis_ids_, reference_ids_;
  TerEdits edits_;
};

template <typename Number>
Number edit_rate(Number edits, Number length) {
  const Number zero(0.0);
  if (length > zero) return Number(100.0) * (edits / length);
  return edits > zero ? Number(100.0) : zero;
}

std::string yes_or_no(bool flag) {
  return flag ? "yes" : "no";
}

}  // namespace

std::string Ter::signature() const {
  return fmt::format("case:{}|tok:tercom|norm:{}|punct:{}|asian:{}",
                     options_.case_sensitive ? "mixed" : "lc", yes_or_no(options_.normalized),
                     yes_or_no(!options_.no_punct), yes_or_no(options_.asian_support));
}

std::unique_ptr<LineCounter> Ter::make_counter() const {
  return std::make_unique<TerLineCounter>(options_);
}

double Ter::score(std::span<const double> sums) const {
  return edit_rate(sums[0], sums[1]);
}

ResampledScore Ter::score_of_singles(std::span<const float> sums) const {
  const NumpyFloat score = edit_rate(NumpyFloat(sums[0]), NumpyFloat(sums[1]));
  return {static_cast<double>(score), score.is_single()};
}

}  // namespace xformer
