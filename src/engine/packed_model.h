// A whole model as the fast decoder reads it: the plain model's parts with packed weights.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "config/config.h"
#include "engine/generator_screen.h"
#include "engine/model_weights.h"
#include "engine/packed_linear.h"

namespace xformer {

struct PackedNorm {
  std::vector<float> gain, bias;
  float epsilon = 0;
};

/// To the own stack or to the source. Keys and values come from one product; queries from another,
/// as a product is divided at whole panels only.
struct PackedAttention {
  int64_t heads = 0;
  PackedNorm norm;
  PackedLinear query, key_value, output;
};

struct PackedFeedForward {
  PackedNorm norm;
  PackedLinear w_1, w_2;
};

struct PackedEncoderLayer {
  PackedAttention self;
  PackedFeedForward feed_forward;
};

struct PackedDecoderLayer {
  PackedAttention self;
  PackedAttention source;
  PackedFeedForward feed_forward;
};

/// Rows of a table, not copied.
struct PackedEmbeddings {
  const float* table = nullptr;
  int64_t width = 0;
  float scale = 1;

  const float* row(int32_t id) const { return table + id * width; }
};

/// Read by all workers at once, changed by none.
struct PackedModel {
  ModelConfig config;
  SpecialTokens tokens;
  EngineTarget target;
  PackedEmbeddings source_embeddings, target_embeddings;
  std::vector<PackedEncoderLayer> encoder;
  std::vector<PackedDecoderLayer> decoder;
  PackedNorm encoder_norm, decoder_norm;  ///< empty without a final norm
  PackedLinear generator;
  std::optional<GeneratorScreen> screen;  ///< with target.screens
  LinearPart stored_generator{};          ///< as it lies in the file
  std::shared_ptr<const void> weights_owner;

  bool norm_first() const { return config.norm == NormPlacement::kPre; }
};

/// What a model's weights must fit.
struct ModelShape {
  ModelConfig config;
  int64_t source_pieces = 0, target_pieces = 0;
  SpecialTokens tokens{};
};

/// What tokens.never holds is taken out of the softmax: it has no probability. Throws UserError
/// when a weight is missing, surplus or misshapen.
PackedModel pack_model(const ModelShape& shape, ModelWeights weights, const EngineTarget& target);

}  // namespace xformer
