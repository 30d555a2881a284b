// Vectors of kLanes numbers, and what is computed with them. A part of inference_body.h.

typedef float Vector __attribute__((vector_size(kLanes * 4)));
typedef int32_t IntVector __attribute__((vector_size(kLanes * 4)));
typedef float LooseVector __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
typedef int32_t LooseIntVector __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));

constexpr int64_t kPanel = 2 * kLanes;

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
/// 0, 1, 2, ...
INLINE IntVector lanes() {
  IntVector numbers;
  for (int i = 0; i < kLanes; ++i) numbers[i] = i;
  return numbers;
}
/// As bits, since zero plus a float is an addition that has to be made, for the sake of -0.
INLINE Vector all(float value) {
  return reinterpret_cast<Vector>(IntVector{} + __builtin_bit_cast(int32_t, value));
}
/// a > b ? a : b
Vector larger(Vector a, Vector b);

/// Lane i of the result is lane place(i) of a and b, one behind the other. Places that the compiler
/// does not know would be put together lane by lane.
template <auto place, size_t... lanes>
INLINE Vector shuffle(Vector a, Vector b, std::index_sequence<lanes...>) {
  return __builtin_shufflevector(a, b, place(static_cast<int>(lanes))...);
}
template <auto place>
INLINE Vector shuffle(Vector a, Vector b) {
  return shuffle<place>(a, b, std::make_index_sequence<kLanes>());
}
/// Each lane of v beside the one that is `distance` further or before.
template <int distance>
INLINE Vector partners(Vector v) {
  return shuffle<[](int i) { return i ^ distance; }>(v, v);
}

/// The sums of `step` neighbouring lanes each become those of all such lanes.
template <int step>
INLINE Vector add_across(Vector v) {
  if constexpr (step == kLanes) {
    return v;
  } else {
    return add_across<2 * step>(v + partners<step>(v));
  }
}
INLINE float sum_of(Vector v) {
  return add_across<1>(v)[0];
}
/// Lane i of the result is the sum of the lanes of v[i % 4].
INLINE Vector sums_of(const Vector (&v)[4]) {
  constexpr auto even = [](int i) { return i / 2 * 2 + (i % 2 == 0 ? 0 : kLanes); };
  constexpr auto odd = [](int i) { return i / 2 * 2 + (i % 2 == 0 ? 0 : kLanes) + 1; };
  constexpr auto low = [](int i) { return i / 4 * 4 + (i % 4 < 2 ? i % 4 : kLanes + i % 4 - 2); };
  constexpr auto high = [](int i) {
    return i / 4 * 4 + (i % 4 < 2 ? i % 4 : kLanes + i % 4 - 2) + 2;
  };
  const Vector first = shuffle<even>(v[0], v[1]) + shuffle<odd>(v[0], v[1]);
  const Vector second = shuffle<even>(v[2], v[3]) + shuffle<odd>(v[2], v[3]);
  return add_across<4>(shuffle<low>(first, second) + shuffle<high>(first, second));
}
template <int step = 1>
INLINE float largest_of(Vector v) {
  if constexpr (step == kLanes) {
    return v[0];
  } else {
    return largest_of<2 * step>(larger(v, partners<step>(v)));
  }
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

/// Of the caches.
constexpr int64_t kLineBytes = 64;

/// Asks for memory that will soon be read. It need not exist.
INLINE void fetch_to_second_level(const void* memory, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += kLineBytes) {
    __builtin_prefetch(static_cast<const char*>(memory) + at, /*write=*/0, /*level=*/2);
  }
}
