// Linear layers in float32. Included after inference_body.h.

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

void linear(const InputRows& x, const PackedPanels& w, OutputRange range, const OutputRows& out) {
  const auto run = [&](Place place, int64_t end, int64_t output) {
    const auto* weights = static_cast<const float*>(w.weights) + output * w.inputs;
    for_each_block<kRows>(place.row, end, [&]<int rows>(int64_t row) {
      place.row = row;
      multiply_block<rows>(x, weights, w.bias + output, w.inputs, out, place);
    });
  };
  for_each_panel(x.count, w.inputs * 4, kRows, range, run);
}
