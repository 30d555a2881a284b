// The sublayers that encoder and decoder share, on packed rows: (rows, d_model), no padding.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/aligned_array.h"
#include "engine/key_rows.h"
#include "engine/packed_model.h"
#include "engine/position_table.h"

namespace xformer {

/// Runs sublayers of one model; owns the memory in between. For one thread.
class LayerRunner {
 public:
  explicit LayerRunner(const PackedModel& model) : model_(model), preparer_(model.target) {}

  /// x + sublayer(norm(x)), with norm "post" norm(x + sublayer(x)). `run` gets the sublayer's input
  /// and adds its output to x.
  template <class Run>
  void sublayer(const PackedNorm& norm, float* x, int64_t rows, Run run) {
    const int64_t size = rows * model_.config.d_model;
    if (model_.norm_first()) {
      normalize(norm, x, rows, normed_.reserve(size));
      run(prepare(normed_.data(), rows));
    } else {
      run(prepare(x, rows));
      normalize(norm, x, rows, x);
    }
  }
  void feed_forward(const PackedFeedForward& layer, float* x, int64_t rows);
  /// x += context W^T + b
  void add_output(const PackedLinear& output, const float* context, int64_t rows, float* x);

  void normalize(const PackedNorm& norm, const float* x, int64_t rows, float* out) const;
  InputRows prepare(const float* x, int64_t rows) {
    return preparer_.prepare(x, rows, model_.config.d_model);
  }

  /// out = embedding of id * scale + the encoding of its position. (d_model)
  void embed(const PackedEmbeddings& embeddings, int32_t id, int64_t position, float* out);

  /// Attention of one query over rows of KeyRows, keys and, d_model further, values; the rows of
  /// the query after it may be told. `weights` (count) gets their sum over the heads added.
  void attend(int64_t heads, const float* query, const std::vector<const void*>& rows, float* out,
              const std::vector<const void*>& next_rows = {}, float* weights = nullptr);
  /// Keys and values of rows.
  void write_keys(const PackedAttention& layer, const InputRows& x, KeyRows& keys) {
    keys.write(layer.key_value, x, model_.config.d_model / layer.heads, products_);
  }

 private:
  const PackedModel& model_;
  InputPreparer preparer_, hidden_preparer_{model_.target};
  AlignedArray<float> normed_, hidden_, scores_, products_;
  PositionTable positions_{model_.config};
};

}  // namespace xformer
