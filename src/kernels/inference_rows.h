// What is done to a row between the products: rounding to int8 and layer norm. A part of
// inference_body.h.

Rounding quantize(const float* x, int64_t size, uint8_t* out) {
  Vector least = Vector{}, most = Vector{};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Vector v = load(x + i);
    least = larger(least, -v);
    most = larger(most, v);
  }
  float below = largest_of(least), above = largest_of(most);
  for (; i < size; ++i) {
    below = -x[i] > below ? -x[i] : below;
    above = x[i] > above ? x[i] : above;
  }
  const float range = below + above;
  const float inverse = range > 0 ? kLargestInput / range : 0.0F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to a whole number
  constexpr int32_t kRoundBits = 0x4B400000;
  const int32_t zero = __builtin_bit_cast(int32_t, below* inverse + kRound) - kRoundBits;
  const int32_t taken_off = RoundedInput(-1) < 0 ? zero : 0;
  for (i = 0; i < size; ++i) {
    const float rounded = x[i] * inverse + kRound;
    const int32_t whole = __builtin_bit_cast(int32_t, rounded) - kRoundBits + zero;
    out[i] = static_cast<uint8_t>((whole < kLargestInput ? whole : kLargestInput) - taken_off);
  }
  for (; i % kTileBytes != 0; ++i) out[i] = 0;
  return {range / kLargestInput, zero - taken_off};
}

RowLengths row_lengths(const float* x, const uint8_t* packed, Rounding rounding, int64_t size) {
  typedef RoundedInput Bytes __attribute__((vector_size(kLanes), aligned(1), may_alias));
  Vector squares[3] = {};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const auto whole =
        __builtin_convertvector(*reinterpret_cast<const Bytes*>(packed + i), IntVector);
    const Vector near = __builtin_convertvector(whole - rounding.zero, Vector) * rounding.scale;
    const Vector exact = load(x + i), error = exact - near;
    squares[0] += exact * exact;
    squares[1] += near * near;
    squares[2] += error * error;
  }
  float sums[3];
  for (int k = 0; k < 3; ++k) sums[k] = sum_of(squares[k]);
  for (; i < size; ++i) {
    const auto whole = static_cast<RoundedInput>(packed[i]) - rounding.zero;
    const float near = static_cast<float>(whole) * rounding.scale, error = x[i] - near;
    sums[0] += x[i] * x[i];
    sums[1] += near * near;
    sums[2] += error * error;
  }
  return {__builtin_sqrtf(sums[0]), __builtin_sqrtf(sums[1]), __builtin_sqrtf(sums[2])};
}

void layer_norm(const float* x, const float* gain, const float* bias, float epsilon, int64_t size,
                float* out) {
  Vector sums = Vector{};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) sums += load(x + i);
  float sum = sum_of(sums);
  for (; i < size; ++i) sum += x[i];
  const float mean = sum / static_cast<float>(size);

  Vector squares = Vector{};
  for (i = 0; i + kLanes <= size; i += kLanes) {
    const Vector centred = load(x + i) - mean;
    squares += centred * centred;
  }
  float square = sum_of(squares);
  for (; i < size; ++i) square += (x[i] - mean) * (x[i] - mean);
  const float factor = 1.0F / __builtin_sqrtf(square / static_cast<float>(size) + epsilon);

  for (i = 0; i + kLanes <= size; i += kLanes) {
    store(out + i, (load(x + i) - mean) * factor * load(gain + i) + load(bias + i));
  }
  for (; i < size; ++i) out[i] = (x[i] - mean) * factor * gain[i] + bias[i];
}

float dot(const float* a, const float* b, int64_t size) {
  Vector sums[2] = {};
  int64_t i = 0;
  for (; i + 2 * kLanes <= size; i += 2 * kLanes) {
    sums[0] += load(a + i) * load(b + i);
    sums[1] += load(a + i + kLanes) * load(b + i + kLanes);
  }
  float sum = sum_of(sums[0] + sums[1]);
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}
