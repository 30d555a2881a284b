// Linear layers in int8 on AMX's tiles. Included after inference_body.h.
//
// A block is one or two tiles of rows times a panel, which is two tiles wide. Tiles 0 to 3 have the
// block's sums, row by row, 4 and 5 inputs, 6 and 7 weights.

constexpr int64_t kBlockRows = 2 * kTileRows;
/// A tile's share of a panel, and a row of it.
constexpr int64_t kPanelRowBytes = 2 * kTileBytes, kPanelTileBytes = kTileRows * kPanelRowBytes;

/// As the instruction reads it: all eight tiles are whole.
struct alignas(64) TileShapes {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {kTileBytes, kTileBytes, kTileBytes, kTileBytes,
                            kTileBytes, kTileBytes, kTileBytes, kTileBytes};
  uint8_t rows[16] = {kTileRows, kTileRows, kTileRows, kTileRows,
                      kTileRows, kTileRows, kTileRows, kTileRows};
};
constexpr TileShapes kWholeTiles;

/// Tiles can be used while it lives.
struct TilesInUse {
  TilesInUse() { _tile_loadconfig(&kWholeTiles); }
  ~TilesInUse() { _tile_release(); }
  TilesInUse(const TilesInUse&) = delete;
  TilesInUse& operator=(const TilesInUse&) = delete;
};

/// Adds the products of a tile's width of inputs.
template <int row_tiles>
INLINE void add_products(const uint8_t* x, int64_t stride, const uint8_t* panel) {
  _tile_loadd(6, panel, kPanelRowBytes);
  _tile_loadd(7, panel + kTileBytes, kPanelRowBytes);
  _tile_loadd(4, x, stride);
  _tile_dpbssd(0, 4, 6);
  _tile_dpbssd(1, 4, 7);
  if constexpr (row_tiles == 2) {
    _tile_loadd(5, x + kTileRows * stride, stride);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
  }
}

/// What a block fetches into the second-level cache while it multiplies: in each step the next
/// `step_bytes`.
struct Fetch {
  const uint8_t* from;
  int64_t step_bytes;
};

/// sums (16 row_tiles, kPanel) = the products of that many rows with a panel.
template <int row_tiles>
OWN_REGISTERS void sum_products(const uint8_t* x, int64_t stride, const uint8_t* panel,
                                int64_t panel_bytes, Fetch fetch, int32_t* sums) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (const uint8_t* end = panel + panel_bytes; panel < end; panel += kPanelTileBytes) {
    fetch_to_second_level(fetch.from, fetch.step_bytes);
    fetch.from += fetch.step_bytes;
    add_products<row_tiles>(x, stride, panel);
    x += kTileBytes;
  }
  _tile_stored(0, sums, kPanelRowBytes);
  _tile_stored(1, sums + kLanes, kPanelRowBytes);
  if constexpr (row_tiles == 2) {
    _tile_stored(2, sums + kTileRows * kPanel, kPanelRowBytes);
    _tile_stored(3, sums + kTileRows * kPanel + kLanes, kPanelRowBytes);
  }
}

/// Product(row, half) gives half a row's products, its rows counted from place.row on.
template <class Product>
INLINE void store_rows(const float* bias, int64_t rows, const OutputRows& out, Place place,
                       Product product) {
  constexpr int kTogether = 4;
  int64_t row = 0;
  const auto from_row = [&](int r, int half) { return product(row + r, half); };
  for (; row + kTogether <= rows; row += kTogether, place.row += kTogether) {
    store_block<kTogether>(bias, out, place, from_row);
  }
  for (; row < rows; ++row, ++place.row) store_block<1>(bias, out, place, from_row);
}

void linear_int8(const InputRows& x, const PackedPanels& w, OutputRange range,
                 const OutputRows& out) {
  const TilesInUse tiles;
  alignas(64) int32_t sums[kBlockRows * kPanel];
  const int64_t steps = w.cells * 4 / kTileBytes, panel_bytes = steps * kPanelTileBytes;
  // The blocks of rows that meet a panel fetch the next one, each its share.
  const auto run = [&](Place place, int64_t end, int64_t output) {
    const uint8_t* panel = static_cast<const uint8_t*>(w.weights) + output / kPanel * panel_bytes;
    const int64_t blocks = (end - place.row + kBlockRows - 1) / kBlockRows;
    const int64_t lines = (kPanelTileBytes / kLineBytes + blocks - 1) / blocks;
    Fetch fetch{panel + panel_bytes, lines * kLineBytes};
    for (; place.row < end; place.row += kBlockRows) {
      const int64_t rows = end - place.row < kBlockRows ? end - place.row : kBlockRows;
      (rows > kTileRows ? sum_products<2> : sum_products<1>)(x.packed + place.row * x.packed_stride,
                                                             x.packed_stride, panel, panel_bytes,
                                                             fetch, sums);
      fetch.from += steps * fetch.step_bytes;
      store_rows(w.bias + output, rows, out, place, [&](int64_t row, int half) {
        const int64_t at = half * kLanes;
        return scaled(load(sums + row * kPanel + at), w, output + at,
                      x.roundings[place.row + row].scale);
      });
    }
  };
  for_each_panel(x.count, x.packed_stride, kBlockRows, range, run);
}
