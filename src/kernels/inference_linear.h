// Linear layers, in float32 and in int8. A part of inference_body.h.

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

/// Rows row .. row + rows - 1 times one panel. The next one is fetched into the second-level cache
/// meanwhile: the processor's own prefetching ends at each page.
template <int rows>
OWN_REGISTERS void multiply_block(const InputRows& x, const float* panel, const float* bias,
                                  int64_t inputs, const OutputRows& out, const Place& place) {
  Vector sums[rows][2];
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = Vector{};
  const float* values = x.values + place.row * x.stride;
  const int64_t stride = x.stride;
  for (int64_t i = 0; i < inputs; ++i) {
    const Vector left = load(panel + i * kPanel), right = load(panel + i * kPanel + kLanes);
    fetch_to_second_level(panel + (inputs + i) * kPanel, kPanel * sizeof(float));
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const Vector value = all(values[r * stride + i]);
      sums[r][0] += value * left;
      sums[r][1] += value * right;
    }
  }
  store_block<rows>(bias, out, place, [&](int r, int half) { return sums[r][half]; });
}

/// Calls run<rows>(row) for blocks of rows from `row` on: whole ones, then what is left.
template <int rows, class Run>
INLINE void for_each_block(int64_t row, int64_t end, Run run) {
  for (; row + rows <= end; row += rows) run.template operator()<rows>(row);
  if constexpr (rows > 1) {
    if (row < end) for_each_block<rows - 1>(row, end, run);
  }
}

/// Calls run(first row, end, panel) so that a panel meets many rows while it is in the cache.
template <class Run>
INLINE void for_each_panel(int64_t rows, int64_t row_bytes, int64_t block, int64_t first_panel,
                           int64_t end_panel, Run run) {
  int64_t together = kInputBytes / row_bytes / block * block;
  if (together < block) together = block;
  for (int64_t begin = 0; begin < rows; begin += together) {
    const int64_t end = begin + together < rows ? begin + together : rows;
    for (int64_t panel = first_panel; panel < end_panel; ++panel) run(begin, end, panel);
  }
}

/// The products of a group of bytes are added up between these two, in a form that the instruction
/// set likes best.
IntVector begin_group(IntVector sum);
IntVector end_group(IntVector sum, IntVector group);
/// Loads once what is used several times.
IntVector held(IntVector loaded);
/// Rounds a product before anything is added to it. GCC fuses the two in one branch and not in
/// another: a row's bits would depend on how many rows, or which columns, it is computed with.
Vector rounded(Vector product);
/// Adds the products of the four bytes of each element, those of x unsigned, those of w signed.
IntVector add_products(IntVector group, IntVector x, IntVector w);

INLINE IntVector load_four(const uint8_t* from) {
  int32_t four;
  __builtin_memcpy(&four, from, 4);
  return IntVector{} + four;
}

/// One group of inputs of some rows, times one panel's weights for it.
template <int rows>
INLINE void add_group(const uint8_t* values, int64_t stride, const IntVector* panel,
                      IntVector (&sums)[rows][2]) {
  IntVector group[rows][2];
  for (int r = 0; r < rows; ++r) {
    for (int half = 0; half < 2; ++half) group[r][half] = begin_group(sums[r][half]);
  }
#pragma GCC unroll 8
  for (int64_t four = 0; four < kInputGroup / 4; ++four) {
    const IntVector left = held(panel[2 * four]), right = held(panel[2 * four + 1]);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const IntVector x = load_four(values + r * stride + 4 * four);
      group[r][0] = add_products(group[r][0], x, left);
      group[r][1] = add_products(group[r][1], x, right);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int half = 0; half < 2; ++half) {
      sums[r][half] = end_group(sums[r][half], group[r][half]);
    }
  }
}

/// As multiply_block, in integers. The zeros of x come off again with the sums of the weights. The
/// first rows that meet a panel fetch the next one.
template <int rows>
OWN_REGISTERS void multiply_int8_block(const InputRows& x, const PackedPanels& w, int64_t output,
                                       const OutputRows& out, const Place& place, bool first_rows) {
  const int64_t groups = (w.inputs + kInputGroup - 1) / kInputGroup;
  const auto* panel =
      reinterpret_cast<const IntVector*>(w.quantized + output * groups * kInputGroup);
  const uint8_t* values = x.quantized + place.row * x.quantized_stride;
  IntVector sums[rows][2];
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = IntVector{};
  constexpr int64_t kVectors = kInputGroup / 2;
  for (int64_t group = 0; group < groups; ++group, panel += kVectors, values += kInputGroup) {
    if (first_rows) {
      fetch_to_second_level(panel + kVectors * groups, kVectors * sizeof(IntVector));
    }
    add_group<rows>(values, x.quantized_stride, panel, sums);
  }
  const Rounding* roundings = x.roundings + place.row;
  store_block<rows>(w.bias + output, out, place, [&](int r, int half) {
    const int64_t at = output + half * kLanes;
    const IntVector exact = sums[r][half] - load(w.sums + at) * roundings[r].zero;
    return rounded(__builtin_convertvector(exact, Vector) *
                   (load(w.scales + at) * roundings[r].scale));
  });
}

void linear_int8(const InputRows& x, const PackedPanels& w, OutputRange range,
                 const OutputRows& out) {
  const int64_t last = range.first + range.count;
  const auto run = [&](int64_t begin, int64_t end, int64_t panel) {
    const int64_t output = panel * kPanel, column = output - range.first;
    const int64_t valid = last - output < kPanel ? last - output : kPanel;
    for_each_block<kInt8Rows>(begin, end, [&]<int rows>(int64_t row) {
      multiply_int8_block<rows>(x, w, output, out, {row, column, valid}, row == begin);
    });
  };
  for_each_panel(x.count, w.inputs, kInt8Rows, range.first / kPanel, (last + kPanel - 1) / kPanel,
                 run);
}

void linear(const InputRows& x, const PackedPanels& w, OutputRange range, const OutputRows& out) {
  const int64_t inputs = w.inputs, last = range.first + range.count;
  const auto run = [&](int64_t begin, int64_t end, int64_t panel) {
    const int64_t output = panel * kPanel, column = output - range.first;
    const float* weights = w.weights + output * inputs;
    const int64_t valid = last - output < kPanel ? last - output : kPanel;
    for_each_block<kRows>(begin, end, [&]<int rows>(int64_t row) {
      multiply_block<rows>(x, weights, w.bias + output, inputs, out, {row, column, valid});
    });
  };
  for_each_panel(x.count, inputs * 4, kRows, range.first / kPanel, (last + kPanel - 1) / kPanel,
                 run);
}
