#include "kernels/smoothed_loss.h"

#include <algorithm>
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

template <class Number>
XFORMER_INLINE RowStatistics add_bias(const float* bias, const Number* row, float* out,
                                      int64_t words) {
  // Several at a time: each would wait for the one before.
  constexpr int64_t kChains = 4;
  Lanes largest[kChains], total[kChains], x, b;
  for (int64_t c = 0; c < kChains; ++c) {
    largest[c] = Lanes{} - INFINITY;
    total[c] = Lanes{};
  }
  int64_t i = 0;
  for (; i + kChains * kLanes <= words; i += kChains * kLanes) {
    for (int64_t c = 0; c < kChains; ++c) {
      load(row + i + c * kLanes, x);
      load(bias + i + c * kLanes, b);
      x += b;
      largest[c] = largest[c] > x ? largest[c] : x;
      total[c] += x;
      store(x, out + i + c * kLanes);
    }
  }
  RowStatistics statistics{.largest = -INFINITY, .sum = 0};
  for (int64_t c = 0; c < kChains; ++c) {
    statistics.largest = std::max(statistics.largest, largest_of(largest[c]));
    statistics.sum += sum_of(total[c]);
  }
  for (; i < words; ++i) {
    out[i] = widened(row[i]) + bias[i];
    if (out[i] > statistics.largest) statistics.largest = out[i];
    statistics.sum += out[i];
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

template <class Number>
XFORMER_CLONES double smoothed_loss(const SmoothedTarget& spread, int64_t target, const float* bias,
                                    Number* row, float* scratch, float* bias_gradient) {
  const double others = spread.others(), share = spread.share(), confidence = spread.confidence();

  const auto [largest, sum] = add_bias(bias, row, scratch, spread.words);
  const double on_target = scratch[target], on_pad = scratch[spread.pad];
  const double mass = exponentiate_row(largest, scratch, spread.words);
  const double log_mass = largest + std::log(mass);  // log of the sum of e^logit

  const auto factor = static_cast<float>(1 / mass), spread_share = static_cast<float>(share);
  const float for_pad = scratch[spread.pad] * factor;
  const float for_target = scratch[target] * factor - static_cast<float>(confidence);
  for (int64_t i = 0; i < spread.words; ++i) {
    const float gradient = scratch[i] * factor - spread_share;
    bias_gradient[i] += gradient;
    row[i] = narrowed<Number>(gradient);
  }
  bias_gradient[spread.pad] += spread_share;
  bias_gradient[target] -= static_cast<float>(confidence - share);
  row[spread.pad] = narrowed<Number>(for_pad);
  row[target] = narrowed<Number>(for_target);

  const double on_others = sum - on_target - on_pad - others * log_mass;
  return spread.negative_entropy() - confidence * (on_target - log_mass) - share * on_others;
}

template double smoothed_loss(const SmoothedTarget&, int64_t, const float*, float*, float*, float*);
template double smoothed_loss(const SmoothedTarget&, int64_t, const float*, BFloat16*, float*,
                              float*);

}  // namespace xformer
