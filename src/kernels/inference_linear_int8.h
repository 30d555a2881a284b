// Linear layers in int8, on vectors. Included after inference_body.h.

/// The products of a group of bytes are added up between these two, in a form that the instruction
/// set likes best.
IntVector begin_group(IntVector sum);
IntVector end_group(IntVector sum, IntVector group);
/// Loads once what is used several times.
IntVector held(IntVector loaded);
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
  const auto* panel = static_cast<const IntVector*>(w.weights) + output / kLanes * w.cells;
  const uint8_t* values = x.packed + place.row * x.packed_stride;
  IntVector sums[rows][2];
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = IntVector{};
  constexpr int64_t kVectors = kInputGroup / 2;
  for (int64_t group = 0; group < groups; ++group, panel += kVectors, values += kInputGroup) {
    if (first_rows) {
      fetch_to_second_level(panel + 2 * w.cells, kVectors * sizeof(IntVector));
    }
    add_group<rows>(values, x.packed_stride, panel, sums);
  }
  const Rounding* roundings = x.roundings + place.row;
  store_block<rows>(w.bias + output, out, place, [&](int r, int half) {
    const int64_t at = output + half * kLanes;
    const IntVector exact = sums[r][half] - load(w.sums + at) * roundings[r].zero;
    return scaled(exact, w, at, roundings[r].scale);
  });
}

void linear_int8(const InputRows& x, const PackedPanels& w, OutputRange range,
                 const OutputRows& out) {
  const auto run = [&](Place place, int64_t end, int64_t output) {
    const int64_t begin = place.row;
    for_each_block<kInt8Rows>(begin, end, [&]<int rows>(int64_t row) {
      place.row = row;
      multiply_int8_block<rows>(x, w, output, out, place, row == begin);
    });
  };
  for_each_panel(x.count, w.inputs, kInt8Rows, range, run);
}
