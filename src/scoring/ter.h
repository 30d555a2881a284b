// Translation edit rate (Snover et al. 2006) as sacreBLEU computes it, after Tercom.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "scoring/metric.h"
#include "scoring/tokenizer_ter.h"

namespace xformer {

class Ter : public Metric {
 public:
  explicit Ter(const TerTokenizerOptions& options = {}) : options_(options) {}

  std::string name() const override { return "TER"; }
  std::string signature() const override;
  bool higher_is_better() const override { return false; }
  /// Of each line: the fewest edits to any reference, the mean length of the references.
  size_t width() const override { return 2; }
  std::unique_ptr<LineCounter> make_counter() const override;
  double score(std::span<const double> sums) const override;
  ResampledScore score_of_singles(std::span<const float> sums) const override;

 private:
  TerTokenizerOptions options_;
};

}  // namespace xformer
