// What BLEU, chrF and TER have in common: statistics of lines whose sums give the score.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace xformer {

/// The release of sacreBLEU whose figures the metrics give.
inline constexpr const char* kSacrebleuVersion = "2.6.0";

/// A score of sums in single precision. As in Python, some results are double all the same.
struct ResampledScore {
  double value = 0;
  bool single = false;
};

/// Counts lines, one after the other, in memory that serves all of them.
class LineCounter {
 public:
  virtual ~LineCounter() = default;
  /// Writes the statistics of `hypothesis` against its references, at least one, to `statistics`.
  /// The text is valid UTF-8.
  virtual void count(std::string_view hypothesis, std::span<const std::string_view> references,
                     std::span<double> statistics) = 0;
};

/// A metric with its options. Safe to share between threads; each thread has its own LineCounter,
/// which lives no longer than the metric.
class Metric {
 public:
  virtual ~Metric() = default;
  /// As sacreBLEU prints it, such as "chrF2++".
  virtual std::string name() const = 0;
  /// What the signature says of the options, such as "case:mixed|eff:no".
  virtual std::string signature() const = 0;
  /// Whether a higher score is a better one.
  virtual bool higher_is_better() const { return true; }
  /// Statistics of a line.
  virtual size_t width() const = 0;
  virtual std::unique_ptr<LineCounter> make_counter() const = 0;

  /// The score, 0 to 100 (TER: from 0 on), of the sums over a corpus.
  virtual double score(std::span<const double> sums) const = 0;
  /// The same as numpy computes it from an array of float32, which the bootstrap has, or of int64,
  /// which approximate randomization has.
  virtual ResampledScore score_of_singles(std::span<const float> sums) const = 0;
  virtual double score_of_integers(std::span<const double> sums) const { return score(sums); }
  /// What follows the score in sacreBLEU's line; may be empty.
  virtual std::string details(std::span<const double>) const { return {}; }
  /// Why a text that gives these sums cannot score well, however good it is; mostly empty.
  virtual std::string pitfall(std::span<const double>) const { return {}; }
};

}  // namespace xformer
