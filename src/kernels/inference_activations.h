// The activations that cost an exponential. A part of inference_body.h.

INLINE Vector magnitude_of(Vector x) {
  return larger(x, -x);
}

/// 1 / (1 + exp(-x))
INLINE Vector sigmoid(Vector x) {
  const Vector e = exponential(-magnitude_of(x));
  return (x > Vector{} ? all(1.0F) : e) / (e + 1.0F);
}

/// P(normal < x). Its tail is exp(-x^2 / 2) times a smooth function, of which t times a polynomial
/// in t = 1 / (1 + 0.2 |x|) was fitted for the least relative error, 1e-7.
INLINE Vector normal_share(Vector x) {
  const Vector t = 1.0F / (magnitude_of(x) * 0.2F + 1.0F);
  Vector p = all(-0.0945656157F);
  p = p * t + 0.463515897F;
  p = p * t - 0.689198968F;
  p = p * t + 0.737175486F;
  p = p * t - 0.344686933F;
  p = p * t + 0.222676806F;
  p = p * t + 0.0411064122F;
  p = p * t + 0.0844528877F;
  p = p * t + 0.0795240689F;
  const Vector tail = exponential(x * x * -0.5F) * t * p;
  return x > Vector{} ? 1.0F - tail : tail;
}

INLINE Vector swish(Vector x) {
  return x * sigmoid(x);
}
INLINE Vector gelu(Vector x) {
  return x * normal_share(x);
}
/// (1 + tanh(u)) / 2 = sigmoid(2 u)
INLINE Vector gelu_tanh(Vector x) {
  constexpr float kTwice = 1.59576912F;  // 2 sqrt(2 / pi)
  return x * sigmoid((x * x * x * 0.044715F + x) * kTwice);
}
INLINE Vector gelu_sigmoid(Vector x) {
  return x * sigmoid(x * 1.702F);
}

template <Vector (*function)(Vector)>
void replace_all(float* x, int64_t size) {
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) store(x + i, function(load(x + i)));
  float rest[kLanes] = {};
  for (int64_t j = i; j < size; ++j) rest[j - i] = x[j];
  store(rest, function(load(rest)));
  for (int64_t j = i; j < size; ++j) x[j] = rest[j - i];
}

void activate(SmoothActivation curve, float* x, int64_t size) {
  switch (curve) {
    case SmoothActivation::kSwish:
      return replace_all<swish>(x, size);
    case SmoothActivation::kGelu:
      return replace_all<gelu>(x, size);
    case SmoothActivation::kGeluTanh:
      return replace_all<gelu_tanh>(x, size);
    case SmoothActivation::kGeluSigmoid:
      return replace_all<gelu_sigmoid>(x, size);
  }
}
