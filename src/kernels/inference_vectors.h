// Vectors of kLanes numbers, and what is computed with them. A part of inference_body.h.

typedef float Vector __attribute__((vector_size(kLanes * 4)));
typedef int32_t IntVector __attribute__((vector_size(kLanes * 4)));
typedef float LooseVector __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
typedef int32_t LooseIntVector __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));

constexpr int64_t kPanel = 2 * kLanes;
/// Rows that pass over the weights together: their inputs should stay in the second-level cache.
constexpr int64_t kInputBytes = 256 * 1024;

#define INLINE inline __attribute__((always_inline))
/// Inlined into its caller, a loop that fills all vector registers would have to share them.
#define OWN_REGISTERS __attribute__((noinline))

INLINE Vector load(const float* from) {
  return *reinterpret_cast<const LooseVector*>(from);
}
INLINE IntVector load(const int32_t* from) {
  return *reinterpret_cast<const LooseIntVector*>(from);
}
INLINE void store(float* to, Vector value) {
  *reinterpret_cast<LooseVector*>(to) = value;
}
/// As bits, since zero plus a float is an addition that has to be made, for the sake of -0.
INLINE Vector all(float value) {
  return reinterpret_cast<Vector>(IntVector{} + __builtin_bit_cast(int32_t, value));
}
INLINE Vector larger(Vector a, Vector b) {
  return a > b ? a : b;
}
INLINE float sum_of(Vector v) {
#pragma GCC unroll 4
  for (int half = kLanes / 2; half > 0; half /= 2) {
    IntVector partner{};
    for (int i = 0; i < kLanes; ++i) partner[i] = i ^ half;
    v += __builtin_shuffle(v, partner);
  }
  return v[0];
}
/// The sums of four vectors' lanes, side by side.
INLINE void store_sums(float* to, const Vector (&v)[4]) {
  IntVector even{}, odd{}, low{}, high{};
  for (int i = 0; i < kLanes; ++i) {
    const int pair = i / 2 * 2, quad = i / 4 * 4;
    even[i] = i % 2 == 0 ? pair : kLanes + pair;
    odd[i] = even[i] + 1;
    low[i] = i % 4 < 2 ? quad + i % 4 : kLanes + quad + i % 4 - 2;
    high[i] = low[i] + 2;
  }
  const Vector first = __builtin_shuffle(v[0], v[1], even) + __builtin_shuffle(v[0], v[1], odd);
  const Vector second = __builtin_shuffle(v[2], v[3], even) + __builtin_shuffle(v[2], v[3], odd);
  Vector sums = __builtin_shuffle(first, second, low) + __builtin_shuffle(first, second, high);
#pragma GCC unroll 4
  for (int half = kLanes / 2; half >= 4; half /= 2) {
    IntVector partner{};
    for (int i = 0; i < kLanes; ++i) partner[i] = i ^ half;
    sums += __builtin_shuffle(sums, partner);
  }
  __builtin_memcpy(to, &sums, 4 * sizeof(float));
}
INLINE float largest_of(Vector v) {
  float lanes[kLanes];
  store(lanes, v);
  float largest = lanes[0];
  for (int i = 1; i < kLanes; ++i) largest = lanes[i] > largest ? lanes[i] : largest;
  return largest;
}

/// exp(x) for x <= 0 to within 2 units in the last place; below -87 it is as small as floats get.
/// 2^n times a polynomial on [-ln 2 / 2, ln 2 / 2] (the coefficients of Cephes).
INLINE Vector exponential(Vector x) {
  x = larger(x, all(-87.0F));
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to a whole number
  const Vector shifted = x * 1.44269504F + kRound;
  const Vector n = shifted - kRound;
  const Vector r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
  Vector p = all(1.9875691500e-4F);
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  const IntVector bits = (reinterpret_cast<IntVector>(shifted) << 23) + (127 << 23);
  return p * reinterpret_cast<Vector>(bits);
}

INLINE float exponential(float x) {
  float lanes[kLanes];
  store(lanes, exponential(all(x)));
  return lanes[0];
}

/// Asks for memory that will soon be read. It need not exist.
INLINE void fetch_to_second_level(const void* memory, size_t bytes) {
  constexpr size_t kLine = 64;
  for (size_t at = 0; at < bytes; at += kLine) {
    __builtin_prefetch(static_cast<const char*>(memory) + at, /*write=*/0, /*level=*/2);
  }
}
