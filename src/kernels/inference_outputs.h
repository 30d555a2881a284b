// What becomes of a linear layer's products, whatever makes them. A part of inference_body.h.

/// Where a block of rows meets a panel: of its columns, `valid` are wanted.
struct Place {
  int64_t row, column, valid;
};

/// Adds the wanted columns of a block to what becomes of them.
OWN_REGISTERS void store_columns(const float* columns, int64_t rows, const OutputRows& out,
                                 const Place& place) {
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t offset = (place.row + r) * out.stride + place.column;
    for (int64_t i = 0; i < place.valid; ++i) {
      const float residual = out.residual != nullptr ? out.residual[offset + i] : 0.0F;
      out.values[offset + i] = columns[r * kPanel + i] + residual;
    }
  }
}

/// Stores a block of rows. Product(r, half) gives half a row's products with the panel. No loop is
/// left that counts rows, or the products would leave the registers for it.
template <int rows, class Product>
INLINE void store_block(const float* bias, const OutputRows& out, const Place& place,
                        Product product) {
  float columns[rows * kPanel];
  const bool whole = place.valid == kPanel;
  const int64_t offset = place.row * out.stride + place.column;
  float* to = whole ? out.values + offset : columns;
  const float* residual = whole && out.residual != nullptr ? out.residual + offset : nullptr;
  const int64_t stride = whole ? out.stride : kPanel;
  const bool relu = out.relu;
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r, to += stride) {
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const int64_t at = half * kLanes;
      Vector result = product(r, half) + load(bias + at);
      if (relu) result = larger(result, Vector{});
      if (residual != nullptr) result += load(residual + at);
      store(to + at, result);
    }
    if (residual != nullptr) residual += stride;
  }
  if (!whole) store_columns(columns, rows, out, place);
}

/// Calls run<rows>(row) for blocks of rows from `row` on: whole ones, then what is left.
template <int rows, class Run>
INLINE void for_each_block(int64_t row, int64_t end, Run run) {
  for (; row + rows <= end; row += rows) run.template operator()<rows>(row);
  if constexpr (rows > 1) {
    if (row < end) for_each_block<rows - 1>(row, end, run);
  }
}

/// Rounds a product before anything is added to it. GCC fuses the two in one branch and not in
/// another: a row's bits would depend on how many rows, or which columns, it is computed with.
Vector rounded(Vector product);

/// What the whole products of a row, itself rounded by `scale`, with outputs at, at + 1, ... mean.
INLINE Vector scaled(IntVector exact, const PackedPanels& w, int64_t at, float scale) {
  return rounded(__builtin_convertvector(exact, Vector) * (load(w.scales + at) * scale));
}

/// Calls run(place, end, output) for the panel from each output on, with the rows place.row to end,
/// so that a panel meets many rows while it is in the cache.
template <class Run>
INLINE void for_each_panel(int64_t rows, int64_t row_bytes, int64_t block, OutputRange range,
                           Run run) {
  int64_t together = kInputBytes / row_bytes / block * block;
  if (together < block) together = block;
  for (int64_t begin = 0; begin < rows; begin += together) {
    const int64_t end = begin + together < rows ? begin + together : rows;
    for (int64_t column = 0; column < range.count; column += kPanel) {
      const int64_t left = range.count - column;
      const Place place{begin, column, left < kPanel ? left : kPanel};
      run(place, end, range.first + column);
    }
  }
}
