#include "kernels/smoothed_loss.h"

#include <cmath>

#include "kernels/clones.h"
#include "kernels/lanes.h"

namespace xformer {
namespace {

/// x log x, continued to 0.
double entropy_term(double x) {
  return x > 0 ? x * std::log(x) : 0;
}

struct RowStatistics {
  float largest;
  double sum;
};

XFORMER_INLINE RowStatistics add_bias(const float* bias, float* row, int64_t words) {
  Lanes largest = Lanes{} - INFINITY, total = {}, x, b;
  int64_t i = 0;
  for (; i + kLanes <= words; i += kLanes) {
    load(row + i, x);
    load(bias + i, b);
    x += b;
    largest = largest > x ? largest : x;
    total += x;
    store(x, row + i);
  }
  RowStatistics statistics{.largest = largest_of(largest), .sum = sum_of(total)};
  for (; i < words; ++i) {
    row[i] += bias[i];
    if (row[i] > statistics.largest) statistics.largest = row[i];
    statistics.sum += row[i];
  }
  return statistics;
}

/// The row becomes e^(x - shift); returns its sum.
XFORMER_INLINE double exponentiate_row(float shift, float* row, int64_t words) {
  Lanes total = {}, x;
  int64_t i = 0;
  for (; i + kLanes <= words; i += kLanes) {
    load(row + i, x);
    x -= shift;
    exponentiate(x);
    total += x;
    store(x, row + i);
  }
  double sum = sum_of(total);
  for (; i < words; ++i) sum += row[i] = std::exp(row[i] - shift);
  return sum;
}

}  // namespace

double SmoothedTarget::negative_entropy() const {
  return entropy_term(confidence()) + others() * entropy_term(share());
}

XFORMER_CLONES double smoothed_loss(const SmoothedTarget& spread, int64_t target, const float* bias,
                                    float* row, float* bias_gradient) {
  const double others = spread.others(), share = spread.share(), confidence = spread.confidence();

  const auto [largest, sum] = add_bias(bias, row, spread.words);
  const double on_target = row[target], on_pad = row[spread.pad];
  const double mass = exponentiate_row(largest, row, spread.words);
  const double log_mass = largest + std::log(mass);  // log of the sum of e^logit

  const auto factor = static_cast<float>(1 / mass), spread_share = static_cast<float>(share);
  for (int64_t i = 0; i < spread.words; ++i) row[i] = row[i] * factor - spread_share;
  row[spread.pad] += spread_share;
  row[target] -= static_cast<float>(confidence - share);
  for (int64_t i = 0; i < spread.words; ++i) bias_gradient[i] += row[i];

  const double on_others = sum - on_target - on_pad - others * log_mass;
  return spread.negative_entropy() - confidence * (on_target - log_mass) - share * on_others;
}

}  // namespace xformer
