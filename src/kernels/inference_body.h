// The inference kernels in terms of GCC's vectors. Included by one file for each instruction set,
// after that file has chosen it: everything here is compiled anew in each.
//
// The including file defines, in its own unnamed namespace: kLanes (floats of a vector), kRows and
// kInt8Rows (rows of a block of products), and it declares nothing else but add_products, which
// it defines after this file.

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
INLINE Vector all(float value) {
  return Vector{} + value;
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

// --- linear layers ---

/// Stores one row of a panel, `valid` of its columns.
INLINE void store_row(const Vector (&values)[2], const float* bias, const OutputRows& out,
                      int64_t offset, int64_t valid) {
  Vector result[2];
  for (int half = 0; half < 2; ++half) {
    result[half] = values[half] + load(bias + half * kLanes);
    if (out.relu) result[half] = larger(result[half], Vector{});
  }
  if (valid == kPanel) {
    for (int half = 0; half < 2; ++half) {
      const int64_t at = offset + half * kLanes;
      if (out.residual != nullptr) result[half] += load(out.residual + at);
      store(out.values + at, result[half]);
    }
    return;
  }
  float columns[kPanel];
  for (int half = 0; half < 2; ++half) store(columns + half * kLanes, result[half]);
  for (int64_t i = 0; i < valid; ++i) {
    const float residual = out.residual != nullptr ? out.residual[offset + i] : 0.0F;
    out.values[offset + i] = columns[i] + residual;
  }
}

/// Rows row .. row + rows - 1 times one panel.
template <int rows>
OWN_REGISTERS void multiply_block(const InputRows& x, int64_t row, const float* panel,
                                  const float* bias, int64_t inputs, const OutputRows& out,
                                  int64_t column, int64_t valid) {
  Vector sums[rows][2];
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = Vector{};
  const float* values = x.values + row * x.stride;
  const int64_t stride = x.stride;
  for (int64_t i = 0; i < inputs; ++i) {
    const Vector left = load(panel + i * kPanel), right = load(panel + i * kPanel + kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const Vector value = all(values[r * stride + i]);
      sums[r][0] += value * left;
      sums[r][1] += value * right;
    }
  }
  for (int r = 0; r < rows; ++r) {
    store_row(sums[r], bias, out, (row + r) * out.stride + column, valid);
  }
}

/// The last rows, fewer than a whole block.
template <int rows>
void multiply_rest(int64_t rest, const InputRows& x, int64_t row, const float* panel,
                   const float* bias, int64_t inputs, const OutputRows& out, int64_t column,
                   int64_t valid) {
  if constexpr (rows > 0) {
    if (rest == rows) {
      multiply_block<rows>(x, row, panel, bias, inputs, out, column, valid);
    } else {
      multiply_rest<rows - 1>(rest, x, row, panel, bias, inputs, out, column, valid);
    }
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

/// sum[i] += x[4 i] w[4 i] + ... + x[4 i + 3] w[4 i + 3], bytes of x unsigned, of w signed.
IntVector add_products(IntVector sum, IntVector x, IntVector w);

/// As multiply_block, in integers. The offset of x comes off again with the sums of the weights.
template <int rows>
OWN_REGISTERS void multiply_int8_block(const InputRows& x, int64_t row, const PackedPanels& w,
                                       int64_t output, const OutputRows& out, int64_t column,
                                       int64_t valid) {
  const int64_t quads = (w.inputs + 3) / 4;
  const int8_t* panel = w.quantized + output * quads * 4;
  const uint8_t* values = x.quantized + row * x.quantized_stride;
  IntVector sums[rows][2];
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = IntVector{};
  for (int64_t quad = 0; quad < quads; ++quad) {
    const auto* weights = reinterpret_cast<const LooseIntVector*>(panel + quad * kPanel * 4);
    const IntVector left = weights[0], right = weights[1];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      int32_t four;
      __builtin_memcpy(&four, values + r * x.quantized_stride + quad * 4, 4);
      const IntVector value = IntVector{} + four;
      sums[r][0] = add_products(sums[r][0], value, left);
      sums[r][1] = add_products(sums[r][1], value, right);
    }
  }
  for (int r = 0; r < rows; ++r) {
    Vector scaled[2];
    for (int half = 0; half < 2; ++half) {
      const int64_t at = output + half * kLanes;
      const IntVector exact = sums[r][half] - load(w.sums + at) * kInputOffset;
      scaled[half] =
          __builtin_convertvector(exact, Vector) * (load(w.scales + at) * x.scales[row + r]);
    }
    store_row(scaled, w.bias + output, out, (row + r) * out.stride + column, valid);
  }
}

template <int rows>
void multiply_int8_rest(int64_t rest, const InputRows& x, int64_t row, const PackedPanels& w,
                        int64_t output, const OutputRows& out, int64_t column, int64_t valid) {
  if constexpr (rows > 0) {
    if (rest == rows) {
      multiply_int8_block<rows>(x, row, w, output, out, column, valid);
    } else {
      multiply_int8_rest<rows - 1>(rest, x, row, w, output, out, column, valid);
    }
  }
}

void linear_int8(const InputRows& x, const PackedPanels& w, OutputRange range,
                 const OutputRows& out) {
  const int64_t last = range.first + range.count;
  const auto run = [&](int64_t begin, int64_t end, int64_t panel) {
    const int64_t output = panel * kPanel, column = output - range.first;
    const int64_t valid = last - output < kPanel ? last - output : kPanel;
    int64_t row = begin;
    for (; row + kInt8Rows <= end; row += kInt8Rows) {
      multiply_int8_block<kInt8Rows>(x, row, w, output, out, column, valid);
    }
    multiply_int8_rest<kInt8Rows - 1>(end - row, x, row, w, output, out, column, valid);
  };
  for_each_panel(x.count, w.inputs, kInt8Rows, range.first / kPanel, (last + kPanel - 1) / kPanel,
                 run);
}

void linear(const InputRows& x, const PackedPanels& w, OutputRange range, const OutputRows& out) {
  const int64_t inputs = w.inputs, last = range.first + range.count;
  const auto run = [&](int64_t begin, int64_t end, int64_t panel) {
    const int64_t output = panel * kPanel;
    const float* weights = w.weights + output * inputs;
    const int64_t valid = last - output < kPanel ? last - output : kPanel;
    int64_t row = begin;
    for (; row + kRows <= end; row += kRows) {
      multiply_block<kRows>(x, row, weights, w.bias + output, inputs, out, output - range.first,
                            valid);
    }
    multiply_rest<kRows - 1>(end - row, x, row, weights, w.bias + output, inputs, out,
                             output - range.first, valid);
  };
  for_each_panel(x.count, inputs * 4, kRows, range.first / kPanel, (last + kPanel - 1) / kPanel,
                 run);
}

// --- activations ---

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

void activate(Curve curve, float* x, int64_t size) {
  switch (curve) {
    case Curve::kSwish:
      return replace_all<swish>(x, size);
    case Curve::kGelu:
      return replace_all<gelu>(x, size);
    case Curve::kGeluTanh:
      return replace_all<gelu_tanh>(x, size);
    case Curve::kGeluSigmoid:
      return replace_all<gelu_sigmoid>(x, size);
  }
}

// --- rounding ---

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
  const float inverse = largest > 0 ? 127.0F / largest : 0.0F;
  constexpr float kRound = 12582912.0F + kInputOffset;
  for (i = 0; i < size; ++i) {
    const float rounded = x[i] * inverse + kRound;
    out[i] = static_cast<uint8_t>(__builtin_bit_cast(int32_t, rounded) & 0xFF);
  }
  for (; i % 4 != 0; ++i) out[i] = kInputOffset;
  return largest / 127.0F;
}

// --- layer norm ---

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

// --- attention ---

INLINE float dot(const float* a, const float* b, int64_t size) {
  Vector sums = Vector{};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) sums += load(a + i) * load(b + i);
  float sum = sum_of(sums);
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/// Turns scores into weights that sum to one.
INLINE void softmax(float* scores, int64_t count) {
  float largest = scores[0];
  for (int64_t i = 1; i < count; ++i) largest = scores[i] > largest ? scores[i] : largest;
  Vector sums = Vector{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vector v = exponential(load(scores + i) - largest);
    store(scores + i, v);
    sums += v;
  }
  float sum = sum_of(sums);
  for (; i < count; ++i) {
    scores[i] = exponential(scores[i] - largest);
    sum += scores[i];
  }
  const float inverse = 1.0F / sum;
  for (i = 0; i < count; ++i) scores[i] *= inverse;
}

/// out = sum of weights[j] * rows[j][offset .. offset + size), `width` vectors at a time.
template <int width>
INLINE void weighted_sum(const AttentionRow& row, int64_t offset, float* out) {
  Vector sums[width];
  for (int v = 0; v < width; ++v) sums[v] = Vector{};
  for (int64_t j = 0; j < row.count; ++j) {
    const Vector weight = all(row.scores[j]);
    const float* value = row.rows[j] + offset;
#pragma GCC unroll 8
    for (int v = 0; v < width; ++v) sums[v] += weight * load(value + v * kLanes);
  }
  for (int v = 0; v < width; ++v) store(out + v * kLanes, sums[v]);
}

void attention(const AttentionRow& row, float* out) {
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(row.d_k));
  for (int64_t head = 0; head < row.heads; ++head) {
    const int64_t at = head * row.d_k;
    for (int64_t j = 0; j < row.count; ++j) {
      row.scores[j] = dot(row.query + at, row.rows[j] + at, row.d_k) * scale;
    }
    softmax(row.scores, row.count);
    if (row.weights != nullptr) {
      for (int64_t j = 0; j < row.count; ++j) row.weights[j] += row.scores[j];
    }
    int64_t i = 0;
    const int64_t values = row.value_offset + at;
    for (; i + 4 * kLanes <= row.d_k; i += 4 * kLanes)
      weighted_sum<4>(row, values + i, out + at + i);
    for (; i + kLanes <= row.d_k; i += kLanes) weighted_sum<1>(row, values + i, out + at + i);
    for (; i < row.d_k; ++i) {
      float sum = 0;
      for (int64_t j = 0; j < row.count; ++j) sum += row.scores[j] * row.rows[j][values + i];
      out[at + i] = sum;
    }
  }
}

// --- logits ---

/// Puts a logit that belongs among the k best into its place; of equal ones the first stays ahead.
INLINE void insert_candidate(LogitSummary& summary, int64_t k, int32_t id, float logit) {
  int64_t place = summary.count < k ? summary.count++ : k - 1;
  for (; place > 0 && summary.logits[place - 1] < logit; --place) {
    summary.ids[place] = summary.ids[place - 1];
    summary.logits[place] = summary.logits[place - 1];
  }
  summary.ids[place] = id;
  summary.logits[place] = logit;
}

void summarize(const float* logits, int64_t first, int64_t size, int64_t k, bool sum,
               LogitSummary& summary) {
  constexpr float kLeast = -__builtin_inff();
  Vector maxima = all(kLeast);
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) maxima = larger(maxima, load(logits + i));
  float largest = largest_of(maxima);
  for (; i < size; ++i) largest = logits[i] > largest ? logits[i] : largest;
  if (largest == kLeast) return;

  if (sum) {
    if (largest > summary.largest) {
      summary.sum *= exponential(summary.largest - largest);
      summary.largest = largest;
    }
    Vector sums = Vector{};
    for (i = 0; i + kLanes <= size; i += kLanes) {
      sums += exponential(load(logits + i) - summary.largest);
    }
    summary.sum += sum_of(sums);
    for (; i < size; ++i) summary.sum += exponential(logits[i] - summary.largest);
  }

  const auto least = [&] { return summary.count < k ? kLeast : summary.logits[k - 1]; };
  if (!(largest > least())) return;
  constexpr int64_t kBlock = 4 * kLanes;
  for (int64_t begin = 0; begin < size; begin += kBlock) {
    const int64_t end = begin + kBlock < size ? begin + kBlock : size;
    float block = kLeast;
    for (i = begin; i < end; ++i) block = logits[i] > block ? logits[i] : block;
    if (!(block > least())) continue;
    for (i = begin; i < end; ++i) {
      if (logits[i] > least()) {
        insert_candidate(summary, k, static_cast<int32_t>(first + i), logits[i]);
      }
    }
  }
}
