// What is done to a row between the products: rounding to int8 and layer norm. A part of
// inference_body.h.

float quantize(const float* x, int64_t size, uint8_t* out) {
  Vector extremes = Vector{};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Vector v = load(x + i);
    extremes = larger(extremes, larger(v, -v));
  }
  float largest = largest_of(extremes);
  for (; i < size; ++i) {
    const float magnitude = x[i] < 0 ? -x[i] : x[i];
    largest = magnitude > largest ? magnitude : largest;
  }
  const float inverse = largest > 0 ? kLargestInput / largest : 0.0F;
  constexpr float kRound = 12582912.0F + kInputOffset;
  for (i = 0; i < size; ++i) {
    const float rounded = x[i] * inverse + kRound;
    out[i] = static_cast<uint8_t>(__builtin_bit_cast(int32_t, rounded) & 0xFF);
  }
  for (; i % kInputGroup != 0; ++i) out[i] = kInputOffset;
  return largest / kLargestInput;
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
