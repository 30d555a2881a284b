// The loops that decoding spends its time in, as one table of functions for each instruction set.
// All matrices are row-major; strides count elements.
#pragma once

#include <cstdint>

#include "kernels/bfloat16.h"
#include "kernels/instruction_set.h"

namespace xformer {

/// Activations other than ReLU: x sigmoid(x), and x P(normal < x) as it is, by
/// tanh(sqrt(2 / pi) (x + 0.044715 x^3)) and by sigmoid(1.702 x).
enum class SmoothActivation { kSwish, kGelu, kGeluTanh, kGeluSigmoid };

/// The largest quantized weight and input.
inline constexpr int kLargestWeight = 127, kLargestInput = 127;
/// Quantized inputs come in groups of so many.
inline constexpr int64_t kInputGroup = 16;
/// AVX2's instruction adds the products of inputs 4n and 4n + 1, and those of 4n + 2 and 4n + 3, in
/// 16 bits. A group's may all be added there, since neither the positive nor the negative weights
/// of its even or of its odd pairs sum to more than this: times kLargestInput it is below 2^15.
inline constexpr int kLargestWeightSum = 258;

/// AMX multiplies tiles of so many rows of so many bytes. Packed rows are whole tiles wide, and
/// what follows the last one may be read, up to a whole tile.
inline constexpr int64_t kTileRows = 16, kTileBytes = 64;

/// A linear layer's weights: panels of panel_width outputs, the last one padded. Of each output
/// there are `cells` of four bytes, [panel][cell][output in panel]: one input in float32, four in
/// int8.
struct PackedPanels {
  int64_t inputs = 0, outputs = 0, cells = 0;
  const void* weights = nullptr;
  const float* scales = nullptr;  ///< int8: of each output
  const int32_t* sums = nullptr;  ///< int8: the sum of each output's quantized weights
  const float* bias = nullptr;    ///< of each output
};

/// How a row of inputs was made whole numbers: x is near scale * (quantized - zero).
struct Rounding {
  float scale;
  int32_t zero;
};

/// Rows that a linear layer is applied to.
struct InputRows {
  const float* values = nullptr;
  int64_t count = 0, stride = 0;
  const uint8_t* packed = nullptr;      ///< int8: what `quantize` made of them
  int64_t packed_stride = 0;            ///< in bytes
  const Rounding* roundings = nullptr;  ///< int8: of each row

  InputRows part(int64_t first, int64_t rows) const {
    InputRows result = *this;
    result.count = rows;
    result.values += first * stride;
    if (packed != nullptr) result.packed += first * packed_stride;
    if (roundings != nullptr) result.roundings += first;
    return result;
  }
};

/// Of a row of inputs: |x|, |rounded x| and |x - rounded x|.
struct RowLengths {
  float exact, rounded, error;
};

/// out = x W^T + bias, at least 0 with `relu`, + residual
struct OutputRows {
  float* values = nullptr;
  int64_t stride = 0;
  bool relu = false;
  const float* residual = nullptr;  ///< of the same stride; may be `values` itself
};

/// The room that scores of `count` keys take: whole vectors for each head, and a number more.
constexpr int64_t scores_of_heads(int64_t heads, int64_t count) {
  constexpr int64_t kWidestVector = 16;
  return heads * ((count + kWidestVector - 1) / kWidestVector * kWidestVector + 1);
}

/// One query against `count` keys and values, a row each: the keys of all heads, then at
/// value_offset numbers further the values.
struct AttentionRow {
  const float* query;
  const void* const* rows;  ///< of floats or of BFloat16
  int64_t count, value_offset;
  int64_t heads, d_k;
  float* scores;   ///< room for scores_of_heads(heads, count) numbers
  float* weights;  ///< (count), where attention weights are added up over the heads; or null
  /// Keys and values of the query that comes next, fetched into the cache meanwhile.
  const void* const* next_rows = nullptr;
  int64_t next_count = 0;
};

/// What is known of a row's logits while they come in, a part of the vocabulary after the other.
struct LogitSummary {
  float largest, sum;  ///< sum of exp(logit - largest)
  int64_t count;       ///< candidates found so far, at most k
  int32_t* ids;        ///< best first; room for k
  float* logits;
};

/// Whole panels only: `first` and `count` are multiples of panel_width, or `count` reaches the end.
struct OutputRange {
  int64_t first, count;
};

struct InferenceKernels {
  int64_t panel_width;

  /// out[:, 0 .. range.count) of x, W[range] and bias[range]: see OutputRows.
  void (*linear)(const InputRows& x, const PackedPanels& w, OutputRange range,
                 const OutputRows& out);
  /// The same for int8: integers are summed exactly, so that every instruction set agrees.
  void (*linear_int8)(const InputRows& x, const PackedPanels& w, OutputRange range,
                      const OutputRows& out);
  /// Each x becomes its curve's value, to within 1e-6 of the larger of that and 1e-3.
  void (*activate)(SmoothActivation curve, float* x, int64_t size);
  /// out = (x - mean) / sqrt(variance + epsilon) * gain + bias, over one row
  void (*layer_norm)(const float* x, const float* gain, const float* bias, float epsilon,
                     int64_t size, float* out);
  /// out = softmax(query keys^T / sqrt(d_k)) values, head by head
  void (*attention)(const AttentionRow& row, float* out);
  void (*attention_bfloat16)(const AttentionRow& row, float* out);
  /// Rounds keys or values of whole heads to the nearest, ties to even, into the order that
  /// attention_bfloat16 reads them in. No x is a NaN.
  void (*to_bfloat16)(const float* x, int64_t size, int64_t d_k, BFloat16* out);
  /// Rounds a row so that its least and its largest number, or 0 beyond them, become 0 and
  /// kLargestInput: numbers that ReLU left have all of that range. Pads it to whole tiles. Whether
  /// `zero` is taken off already, and the bytes have signs, is the instruction set's choice.
  Rounding (*quantize)(const float* x, int64_t size, uint8_t* out);
  /// Of x and what `quantize` made of it.
  RowLengths (*row_lengths)(const float* x, const uint8_t* packed, Rounding rounding, int64_t size);
  /// Takes in the logits of ids first, first + 1, ...; with `sum`, for log-sum-exp too.
  void (*summarize)(const float* logits, int64_t first, int64_t size, int64_t k, bool sum,
                    LogitSummary& summary);
  /// The largest logit of each panel. logits (size) -> largest (size / panel_width, rounded up)
  void (*largest_of_panels)(const float* logits, int64_t size, float* largest);
  float (*dot)(const float* a, const float* b, int64_t size);
};

/// Throws nothing; `set` must be one of instruction_sets().
const InferenceKernels& inference_kernels(InstructionSet set);

}  // namespace xformer
