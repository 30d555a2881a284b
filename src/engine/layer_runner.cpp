#include "engine/layer_runner.h"

#include <algorithm>
#include <optional>

namespace xformer {
namespace {

/// Nothing for ReLU, which the product itself ends with.
std::optional<SmoothActivation> curve_of(Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return std::nullopt;
    case Activation::kSwish:
      return SmoothActivation::kSwish;
    case Activation::kGelu:
      return SmoothActivation::kGelu;
    case Activation::kGeluTanh:
      return SmoothActivation::kGeluTanh;
    case Activation::kGeluSigmoid:
      return SmoothActivation::kGeluSigmoid;
  }
  return std::nullopt;
}

}  // namespace

void LayerRunner::feed_forward(const PackedFeedForward& layer, float* x, int64_t rows) {
  // As many rows as let the widest activations stay in the second-level cache, in whole blocks of
  // those that the kernels multiply at once: 12, or a divisor of it.
  const int64_t d_ff = layer.w_1.outputs();
  const int64_t together = std::max<int64_t>(24, 64 * 1024 / d_ff / 12 * 12);
  const auto curve = curve_of(model_.config.activation);
  const auto activate = model_.target.kernels().activate;
  sublayer(layer.norm, x, rows, [&](const InputRows& input) {
    for (int64_t begin = 0; begin < rows; begin += together) {
      const int64_t count = std::min(together, rows - begin);
      float* hidden = hidden_.reserve(count * d_ff);
      layer.w_1.apply(input.part(begin, count),
                      {.values = hidden, .stride = d_ff, .relu = !curve.has_value()});
      if (curve) activate(*curve, hidden, count * d_ff);
      float* out = x + begin * model_.config.d_model;
      layer.w_2.apply(hidden_preparer_.prepare(hidden, count, d_ff),
                      {.values = out, .stride = model_.config.d_model, .residual = out});
    }
  });
}

void LayerRunner::add_output(const PackedLinear& output, const float* context, int64_t rows,
                             float* x) {
  output.apply(prepare(context, rows),
               {.values = x, .stride = model_.config.d_model, .residual = x});
}

void LayerRunner::normalize(const PackedNorm& norm, const float* x, int64_t rows,
                            float* out) const {
  const int64_t d = model_.config.d_model;
  const auto layer_norm = model_.target.kernels().layer_norm;
  for (int64_t row = 0; row < rows; ++row) {
    layer_norm(x + row * d, norm.gain.data(), norm.bias.data(), norm.epsilon, d, out + row * d);
  }
}

void LayerRunner::embed(const PackedEmbeddings& embeddings, int32_t id, int64_t position,
                        float* out) {
  const int64_t d = model_.config.d_model;
  const float* row = embeddings.row(id);
  const float* place = positions_.row(position);
  for (int64_t i = 0; i < d; ++i) out[i] = row[i] * embeddings.scale + place[i];
}

void LayerRunner::attend(int64_t heads, const float* query, const std::vector<const void*>& rows,
                         float* out, const std::vector<const void*>& next_rows, float* weights) {
  const auto count = std::ssize(rows);
  const int64_t d = model_.config.d_model;
  // Hypotheses of one sentence share nearly all of them.
  const bool shared = next_rows.empty() || next_rows.front() == rows.front();
  const auto& kernels = model_.target.kernels();
  (model_.target.rounds_keys() ? kernels.attention_bfloat16 : kernels.attention)(
      {.query = query,
       .rows = rows.data(),
       .count = count,
       .value_offset = d,
       .heads = heads,
       .d_k = d / heads,
       .scores = scores_.reserve(scores_of_heads(heads, count)),
       .weights = weights,
       .next_rows = next_rows.data(),
       .next_count = shared ? 0 : std::ssize(next_rows)},
      out);
}

}  // namespace xformer
