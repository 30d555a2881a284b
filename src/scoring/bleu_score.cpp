#include "scoring/bleu_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "runtime/error.h"
#include "scoring/numpy_float.h"

namespace xformer {
namespace {

constexpr std::pair<const char*, Smoothing> kSmoothings[] = {{"none", Smoothing::kNone},
                                                             {"floor", Smoothing::kFloor},
                                                             {"add-k", Smoothing::kAddK},
                                                             {"exp", Smoothing::kExp}};

double brevity_penalty(int64_t hypothesis_length, int64_t reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  if (hypothesis_length == 0) return 0;
  return std::exp(1 - static_cast<double>(reference_length) / hypothesis_length);
}

/// Matches and totals of each order in the arithmetic in which the score is to be computed.
template <typename Number>
struct Orders {
  std::array<Number, kBleuOrder> correct, total;
};

/// What makes `whole` numbers of an array of integers.
enum class Storage { kAsIs, kWholeNumbers };

template <typename Number>
void add_k(Number& count, double k, Storage storage) {
  count += Number(k);
  if (storage == Storage::kWholeNumbers) count = Number(std::trunc(static_cast<double>(count)));
}

/// Percentages, and in `used` how many of them enter the score. Orders for which every line is too
/// short stay 0.
template <typename Number>
std::array<double, kBleuOrder> smoothed_precisions(Orders<Number> orders,
                                                   const BleuSmoothing& smoothing, Storage storage,
                                                   int& used) {
  std::array<double, kBleuOrder> precisions{};
  double halvings = 1;
  used = kBleuOrder;
  for (int i = 0; i < kBleuOrder; ++i) {
    Number &correct = orders.correct[i], &total = orders.total[i];
    if (smoothing.method == Smoothing::kAddK && i > 0) {
      add_k(correct, smoothing.value_or_default(), storage);
      add_k(total, smoothing.value_or_default(), storage);
    }
    if (total == Number(0)) break;
    if (smoothing.effective_order) used = i + 1;
    Number precision(0);
    if (!(correct == Number(0))) {
      precision = Number(100.0) * correct / total;
    } else if (smoothing.method == Smoothing::kExp) {
      halvings *= 2;
      precision = Number(100.0) / (Number(halvings) * total);
    } else if (smoothing.method == Smoothing::kFloor) {
      precision = Number(100.0 * smoothing.value_or_default()) / total;
    }
    precisions[i] = static_cast<double>(precision);
  }
  return precisions;
}

/// Logarithms of 0 are a very low number, as in sacreBLEU, so that the score becomes exactly 0.
double geometric_mean(std::span<const double> precisions) {
  constexpr double kLogOfZero = -9999999999;
  double sum = 0;
  for (const double p : precisions) sum += p == 0 ? kLogOfZero : std::log(p);
  return std::exp(sum / static_cast<double>(precisions.size()));
}

template <typename Number>
void compute_score(const Orders<Number>& orders, const BleuSmoothing& smoothing, Storage storage,
                   BleuScore& result) {
  const bool any_match = std::any_of(orders.correct.begin(), orders.correct.end(),
                                     [](Number n) { return !(n == Number(0)); });
  if (!any_match) return;  // not smoothed
  int used = 0;
  result.precisions = smoothed_precisions(orders, smoothing, storage, used);
  result.score = result.brevity_penalty * geometric_mean(std::span(result.precisions).first(used));
}

template <typename Number, typename Sum>
double score_of_row(std::span<const Sum> sums, const BleuSmoothing& smoothing, Storage storage) {
  Orders<Number> orders{{Number(sums[2]), Number(sums[3]), Number(sums[4]), Number(sums[5])},
                        {Number(sums[6]), Number(sums[7]), Number(sums[8]), Number(sums[9])}};
  BleuScore result;
  result.brevity_penalty =
      brevity_penalty(static_cast<int64_t>(sums[0]), static_cast<int64_t>(sums[1]));
  compute_score(orders, smoothing, storage, result);
  return result.score;
}

}  // namespace

Smoothing smoothing_named(const std::string& name) {
  for (const auto& [known, smoothing] : kSmoothings) {
    if (name == known) return smoothing;
  }
  throw UserError("--smooth-method is " + name + ", must be none, floor, add-k or exp");
}

std::string to_string(Smoothing smoothing) {
  return std::find_if(std::begin(kSmoothings), std::end(kSmoothings),
                      [&](const auto& known) { return known.second == smoothing; })
      ->first;
}

double BleuSmoothing::value_or_default() const {
  constexpr double kFloorDefault = 0.1, kAddKDefault = 1;
  return value.value_or(method == Smoothing::kFloor ? kFloorDefault : kAddKDefault);
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

BleuScore bleu(const BleuCounts& counts, const BleuSmoothing& smoothing) {
  BleuScore result;
  result.counts = counts;
  result.brevity_penalty = brevity_penalty(counts.hypothesis_length, counts.reference_length);
  Orders<double> orders;
  std::copy(counts.correct.begin(), counts.correct.end(), orders.correct.begin());
  std::copy(counts.total.begin(), counts.total.end(), orders.total.begin());
  compute_score(orders, smoothing, Storage::kAsIs, result);
  return result;
}

BleuCounts bleu_counts(std::span<const double> sums) {
  BleuCounts counts;
  counts.hypothesis_length = static_cast<int64_t>(sums[0]);
  counts.reference_length = static_cast<int64_t>(sums[1]);
  for (int i = 0; i < kBleuOrder; ++i) {
    counts.correct[i] = static_cast<int64_t>(sums[2 + i]);
    counts.total[i] = static_cast<int64_t>(sums[2 + kBleuOrder + i]);
  }
  return counts;
}

double bleu_of_singles(std::span<const float> sums, const BleuSmoothing& smoothing) {
  return score_of_row<NumpyFloat>(sums, smoothing, Storage::kAsIs);
}

double bleu_of_integers(std::span<const double> sums, const BleuSmoothing& smoothing) {
  return score_of_row<double>(sums, smoothing, Storage::kWholeNumbers);
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

}  // namespace xformer
