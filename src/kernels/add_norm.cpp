#include "kernels/add_norm.h"

#include <cmath>

#include "kernels/dropout_factors.h"
#include "kernels/lanes.h"

namespace xformer {
namespace {

/// Sum over a row of what change(x) makes of its numbers, in several sums at a time: additions to
/// one would wait for each other.
template <class Change>
XFORMER_INLINE float sum_over(const float* row, int64_t width, Change change) {
  constexpr int64_t kSums = 4;
  Lanes totals[kSums] = {}, x;
  int64_t i = 0;
  for (; i + kSums * kLanes <= width; i += kSums * kLanes) {
    for (int64_t s = 0; s < kSums; ++s) {
      load(row + i + s * kLanes, x);
      change(x);
      totals[s] += x;
    }
  }
  float sum = sum_of((totals[0] + totals[1]) + (totals[2] + totals[3]));
  for (; i < width; ++i) {
    float last = row[i];
    change(last);
    sum += last;
  }
  return sum;
}

XFORMER_INLINE RowMoments moments_of(const float* row, int64_t width, float epsilon) {
  const auto count = static_cast<float>(width);
  const float mean = sum_over(row, width, [](auto&) {}) / count;
  const float squares = sum_over(row, width, [mean](auto& x) { x = (x - mean) * (x - mean); });
  return {.mean = mean, .factor = 1 / std::sqrt(squares / count + epsilon)};
}

/// Means over a row of the gradient g of the normalised numbers n, and of g n.
struct GradientMeans {
  float gradient, product;
};

/// Adds the row's part of the gradients of gain and bias on the way.
template <class Number>
XFORMER_INLINE GradientMeans gradient_means(const AddNorm& op, const AddNormBackward<Number>& data,
                                            int64_t row) {
  const float* sum = data.sum + row * op.width;
  const Number* out_gradient = data.out_gradient + row * op.width;
  const auto [mean, factor] = data.moments[row];
  Lanes gradients = {}, products = {}, x, out, gain, gain_gradient, bias_gradient;
  int64_t i = 0;
  for (; i + kLanes <= op.width; i += kLanes) {
    load(sum + i, x);
    load(out_gradient + i, out);
    load(op.gain + i, gain);
    load(data.gain_gradient + i, gain_gradient);
    load(data.bias_gradient + i, bias_gradient);
    const Lanes normal = (x - mean) * factor;
    gain_gradient += out * normal;
    bias_gradient += out;
    gradients += out * gain;
    products += out * gain * normal;
    store(gain_gradient, data.gain_gradient + i);
    store(bias_gradient, data.bias_gradient + i);
  }
  GradientMeans sums{.gradient = sum_of(gradients), .product = sum_of(products)};
  for (; i < op.width; ++i) {
    const float normal = (sum[i] - mean) * factor, out_i = widened(out_gradient[i]);
    data.gain_gradient[i] += out_i * normal;
    data.bias_gradient[i] += out_i;
    sums.gradient += out_i * op.gain[i];
    sums.product += out_i * op.gain[i] * normal;
  }
  const auto count = static_cast<float>(op.width);
  return {.gradient = sums.gradient / count, .product = sums.product / count};
}

template <class Number>
XFORMER_INLINE void normalise(const AddNorm& op, RowMoments moments, const float* sum,
                              Number* out) {
  const float *gain = op.gain, *bias = op.bias;
  for (int64_t i = 0; i < op.width; ++i) {
    out[i] = narrowed<Number>((sum[i] - moments.mean) * moments.factor * gain[i] + bias[i]);
  }
}

/// Writes the gradient of the row's sum, which is also that of the residual.
template <class Number>
XFORMER_INLINE void normalise_backward(const AddNorm& op, const AddNormBackward<Number>& data,
                                       int64_t row) {
  const auto [mean, factor] = data.moments[row];
  const auto means = gradient_means(op, data, row);
  const int64_t first = row * op.width;
  const float *gain = op.gain, *sum = data.sum + first, *sum_gradient = data.sum_gradient + first;
  const Number* out_gradient = data.out_gradient + first;
  float* gradient = data.residual_gradient + first;
  for (int64_t i = 0; i < op.width; ++i) {
    const float normal = (sum[i] - mean) * factor;
    const float for_normal = widened(out_gradient[i]) * gain[i];
    gradient[i] = sum_gradient[i] + factor * (for_normal - means.gradient - normal * means.product);
  }
}

/// Rows that make at least a block of dropout together.
int64_t rows_at_a_time(const AddNorm& op) {
  return std::max<int64_t>(1, kDropoutBlock / op.width);
}

}  // namespace

template <class Number>
XFORMER_CLONES void add_norm(const AddNorm& op, const AddNormForward<Number>& data) {
  const Number* x = data.x;
  const float* residual = data.residual;
  float* sum = data.sum;
  const int64_t step = rows_at_a_time(op);
  for (int64_t first = 0; first < op.rows; first += step) {
    const int64_t end = std::min(first + step, op.rows);
    for_each_element(op.dropout, first * op.width, end * op.width,
                     [=](int64_t i, float keep) { sum[i] = residual[i] + keep * widened(x[i]); });
    for (int64_t row = first; row < end; ++row) {
      const int64_t at = row * op.width;
      data.moments[row] = moments_of(sum + at, op.width, op.epsilon);
      normalise(op, data.moments[row], sum + at, data.out + at);
    }
  }
}

template <class Number>
XFORMER_CLONES void add_norm_backward(const AddNorm& op, const AddNormBackward<Number>& data) {
  const float* gradient = data.residual_gradient;
  Number* x_gradient = data.x_gradient;
  const int64_t step = rows_at_a_time(op);
  for (int64_t first = 0; first < op.rows; first += step) {
    const int64_t end = std::min(first + step, op.rows);
    for (int64_t row = first; row < end; ++row) normalise_backward(op, data, row);
    for_each_element(op.dropout, first * op.width, end * op.width, [=](int64_t i, float keep) {
      x_gradient[i] = narrowed<Number>(keep * gradient[i]);
    });
  }
}

template void add_norm(const AddNorm&, const AddNormForward<float>&);
template void add_norm(const AddNorm&, const AddNormForward<BFloat16>&);
template void add_norm_backward(const AddNorm&, const AddNormBackward<float>&);
template void add_norm_backward(const AddNorm&, const AddNormBackward<BFloat16>&);

}  // namespace xformer
