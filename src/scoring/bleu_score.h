// From the counts of a corpus to its BLEU (Papineni et al. 2002), as sacreBLEU computes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scoring/metric.h"

namespace xformer {

inline constexpr int kBleuOrder = 4;

/// What an order without a match counts (Chen and Cherry 2014).
enum class Smoothing {
  kNone,   ///< nothing, so that the score is 0
  kFloor,  ///< a value in the place of the matches
  kAddK,   ///< a value is added to matches and totals from order 2 on
  kExp,    ///< half a match, the next one a quarter, and so on (NIST)
};

/// Names as in sacreBLEU; throws UserError for another one.
Smoothing smoothing_named(const std::string& name);
std::string to_string(Smoothing smoothing);

struct BleuSmoothing {
  Smoothing method = Smoothing::kExp;
  std::optional<double> value{};  ///< of kFloor (else 0.1) and kAddK (else 1)
  bool effective_order = false;   ///< leave out the orders that are longer than every line

  double value_or_default() const;
};

/// Sums over a corpus from which the score follows.
struct BleuCounts {
  std::array<int64_t, kBleuOrder> correct{}, total{};
  int64_t hypothesis_length = 0, reference_length = 0;
};
BleuCounts& operator+=(BleuCounts& sum, const BleuCounts& line);

struct BleuScore {
  double score = 0;                             ///< 0 to 100
  std::array<double, kBleuOrder> precisions{};  ///< 0 to 100
  double brevity_penalty = 0;
  BleuCounts counts;
};

BleuScore bleu(const BleuCounts& counts, const BleuSmoothing& smoothing = {});

/// Sums as a row of numbers: the lengths of hypothesis and reference, matches, totals.
inline constexpr size_t kBleuWidth = 2 + 2 * kBleuOrder;
BleuCounts bleu_counts(std::span<const double> sums);
/// The score of such a row as numpy computes it from float32, and from int64, where what add-k adds
/// is cut to a whole number.
double bleu_of_singles(std::span<const float> sums, const BleuSmoothing& smoothing);
double bleu_of_integers(std::span<const double> sums, const BleuSmoothing& smoothing);

/// What follows the score in sacreBLEU's line:
/// "71.2/48.0/34.1/24.6 (BP = 1.000 ratio = 1.003 hyp_len = 12 ref_len = 11)".
std::string bleu_details(const BleuScore& score);

}  // namespace xformer
