// Products of matrices that fit into the first cache, inlined into the kernels that need them.
#pragma once

#include "kernels/lanes.h"

namespace xformer {

/// A matrix of any orientation: element (i, j) is data[i * row + j * column].
struct StridedMatrix {
  const float* data;
  int64_t row, column;
};

/// kRows rows and kVectors * kLanes columns of small_product.
template <int kRows, int kVectors>
XFORMER_INLINE void product_tile(const StridedMatrix& a, const float* b, int64_t b_row, float* c,
                                 int64_t c_row, int64_t depth) {
  Lanes sums[kRows][kVectors] = {};
  for (int64_t k = 0; k < depth; ++k) {
    Lanes right[kVectors];
    for (int v = 0; v < kVectors; ++v) load(b + k * b_row + v * kLanes, right[v]);
    for (int r = 0; r < kRows; ++r) {
      const float left = a.data[r * a.row + k * a.column];
      for (int v = 0; v < kVectors; ++v) sums[r][v] += left * right[v];
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) store(sums[r][v], c + r * c_row + v * kLanes);
  }
}

/// kRows rows of small_product.
template <int kRows>
XFORMER_INLINE void product_rows(const StridedMatrix& a, const float* b, int64_t b_row, float* c,
                                 int64_t c_row, int64_t depth, int64_t columns) {
  int64_t j = 0;
  for (; j + 2 * kLanes <= columns; j += 2 * kLanes) {
    product_tile<kRows, 2>(a, b + j, b_row, c + j, c_row, depth);
  }
  if (j < columns) product_tile<kRows, 1>(a, b + j, b_row, c + j, c_row, depth);
}

/// c = a b. a (rows, depth), b (depth, columns), c (rows, columns); columns is a multiple of
/// kLanes.
XFORMER_INLINE void small_product(const StridedMatrix& a, const float* b, int64_t b_row, float* c,
                                  int64_t c_row, int64_t rows, int64_t depth, int64_t columns) {
  int64_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    product_rows<4>({a.data + i * a.row, a.row, a.column}, b, b_row, c + i * c_row, c_row, depth,
                    columns);
  }
  const StridedMatrix rest{a.data + i * a.row, a.row, a.column};
  float* c_rest = c + i * c_row;
  if (rows - i == 3) product_rows<3>(rest, b, b_row, c_rest, c_row, depth, columns);
  if (rows - i == 2) product_rows<2>(rest, b, b_row, c_rest, c_row, depth, columns);
  if (rows - i == 1) product_rows<1>(rest, b, b_row, c_rest, c_row, depth, columns);
}

}  // namespace xformer
