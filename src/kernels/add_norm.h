// A sublayer's output added to the residual stream, and the layer norm that the next sublayer reads
// of the sum (paper 3.1, 5.4): one visit of a row instead of three. Numbers are float or BFloat16.
#pragma once

#include "kernels/bfloat16.h"
#include "kernels/dropout.h"

namespace xformer {

/// What all rows share. Matrices are (rows, width).
struct AddNorm {
  int64_t rows, width;
  DropoutDraw dropout;
  const float *gain, *bias;  ///< (width)
  float epsilon;
};

/// What the backward pass needs of a row besides the row.
struct RowMoments {
  float mean, factor;  ///< factor = 1 / sqrt(variance + epsilon)
};

template <class Number>
struct AddNormForward {
  const Number* x;
  const float* residual;
  float* sum;           ///< residual + dropout(x)
  RowMoments* moments;  ///< (rows)
  Number* out;          ///< (sum - mean) * factor * gain + bias
};

template <class Number>
struct AddNormBackward {
  const float* sum;
  const RowMoments* moments;
  const Number* out_gradient;
  const float* sum_gradient;
  float* residual_gradient;
  Number* x_gradient;
  float *gain_gradient, *bias_gradient;  ///< (width), added to
};

template <class Number>
void add_norm(const AddNorm& op, const AddNormForward<Number>& data);

template <class Number>
void add_norm_backward(const AddNorm& op, const AddNormBackward<Number>& data);

}  // namespace xformer
