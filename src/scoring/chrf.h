// chrF and chrF++ (Popovic 2015, 2017) as sacreBLEU computes them.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "scoring/metric.h"

namespace xformer {

struct ChrfOptions {
  int char_order = 6;  ///< longest n-gram of characters
  int word_order = 0;  ///< longest n-gram of words; 2 makes chrF++
  int beta = 2;        ///< how many times more recall counts than precision
  bool lowercase = false;
  bool whitespace = false;     ///< n-grams of characters include white space
  bool eps_smoothing = false;  ///< as chrF++.py, NLTK and Moses; else the effective order
};

class Chrf : public Metric {
 public:
  explicit Chrf(const ChrfOptions& options = {}) : options_(options) {}

  std::string name() const override;
  std::string signature() const override;
  size_t width() const override;
  std::unique_ptr<LineCounter> make_counter() const override;
  double score(std::span<const double> sums) const override;
  ResampledScore score_of_singles(std::span<const float> sums) const override;

 private:
  ChrfOptions options_;
};

}  // namespace xformer
