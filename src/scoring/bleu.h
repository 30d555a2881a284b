// BLEU of lines of text: tokens, matches, score.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/bleu_score.h"
#include "scoring/bleu_tokenizer.h"
#include "scoring/metric.h"

namespace xformer {

struct BleuOptions {
  bool lowercase = false;
  std::string tokenizer = "13a";  ///< a name that make_bleu_tokenizer() takes
  std::string spm_model{};        ///< file of the model of such a tokenizer
  BleuSmoothing smoothing{};
};

class Bleu : public Metric {
 public:
  /// Throws UserError for a tokenizer that is not to be had.
  explicit Bleu(const BleuOptions& options = {});

  std::string name() const override { return "BLEU"; }
  std::string signature() const override;
  size_t width() const override { return kBleuWidth; }
  std::unique_ptr<LineCounter> make_counter() const override;
  double score(std::span<const double> sums) const override;
  ResampledScore score_of_singles(std::span<const float> sums) const override;
  double score_of_integers(std::span<const double> sums) const override;
  std::string details(std::span<const double> sums) const override;
  std::string pitfall(std::span<const double> sums) const override;

 private:
  BleuOptions options_;
  std::shared_ptr<const BleuTokenizer> tokenizer_;
};

/// hypotheses[i] against references[r][i]; every reference set has as many lines as there are
/// hypotheses.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses,
                      const std::vector<std::vector<std::string>>& references,
                      const BleuOptions& options = {});

}  // namespace xformer
