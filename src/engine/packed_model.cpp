#include "engine/packed_model.h"

#include <cmath>
#include <limits>

namespace xformer {
namespace {

/// Fetches weights under the plain model's names and packs them.
class Packer {
 public:
  Packer(const ModelShape& shape, ModelWeights& weights, const EngineTarget& target)
      : config_(shape.config),
        target_pieces_(shape.target_pieces),
        weights_(weights),
        target_(target) {}

  PackedEncoderLayer encoder_layer(const std::string& name) {
    return {.self = self_attention(name + "self_attn.", name + "attn_sublayer.norm."),
            .feed_forward = feed_forward(name)};
  }

  PackedDecoderLayer decoder_layer(const std::string& name) {
    return {.self = self_attention(name + "self_attn.", name + "self_sublayer.norm."),
            .source = source_attention(name + "src_attn.", name + "src_sublayer.norm."),
            .feed_forward = feed_forward(name)};
  }

  PackedNorm norm(const std::string& name) {
    const float* gain = weights_.values(name + "weight", {config_.d_model});
    const float* bias = weights_.values(name + "bias", {config_.d_model});
    return {.gain = {gain, gain + config_.d_model},
            .bias = {bias, bias + config_.d_model},
            .epsilon = static_cast<float>(config_.norm_epsilon)};
  }

  PackedEmbeddings embeddings(const std::string& name, int64_t pieces) {
    return {.table = weights_.values(name, {pieces, config_.d_model}),
            .width = config_.d_model,
            .scale = static_cast<float>(std::sqrt(static_cast<double>(config_.d_model)))};
  }

  PackedLinear generator() {
    const bool tied = config_.tie_embeddings != TieEmbeddings::kNone;
    const int64_t pieces = target_pieces_;
    const float* weight = weights_.values(tied ? "tgt_embed.lut.weight" : "generator.weight",
                                          {pieces, config_.d_model});
    const float* bias = weights_.values("generator.bias", {pieces});
    return PackedLinear({{weight, bias, pieces}}, config_.d_model, target_);
  }

 private:
  LinearPart part(const std::string& name, int64_t outputs, int64_t inputs) {
    return {.weight = weights_.values(name + ".weight", {outputs, inputs}),
            .bias = weights_.values(name + ".bias", {outputs}),
            .outputs = outputs};
  }

  /// Layers of d_model inputs and outputs, side by side.
  PackedLinear square(const std::string& name, const std::vector<const char*>& parts) {
    std::vector<LinearPart> found;
    for (const char* each : parts) {
      found.push_back(part(name + each, config_.d_model, config_.d_model));
    }
    return PackedLinear(found, config_.d_model, target_);
  }

  PackedSelfAttention self_attention(const std::string& name, const std::string& norm_name) {
    return {.norm = norm(norm_name),
            .query_key_value = square(name, {"w_q", "w_k", "w_v"}),
            .output = square(name, {"w_o"})};
  }

  PackedSourceAttention source_attention(const std::string& name, const std::string& norm_name) {
    return {.norm = norm(norm_name),
            .query = square(name, {"w_q"}),
            .key_value = square(name, {"w_k", "w_v"}),
            .output = square(name, {"w_o"})};
  }

  PackedFeedForward feed_forward(const std::string& layer) {
    const std::string name = layer + "feed_forward.";
    const int64_t d = config_.d_model, d_ff = config_.d_ff;
    return {.norm = norm(layer + "ff_sublayer.norm."),
            .w_1 = PackedLinear({part(name + "w_1", d_ff, d)}, d, target_),
            .w_2 = PackedLinear({part(name + "w_2", d, d_ff)}, d_ff, target_)};
  }

  const ModelConfig& config_;
  int64_t target_pieces_;
  ModelWeights& weights_;
  const EngineTarget& target_;
};

}  // namespace

PackedModel pack_model(const ModelShape& shape, ModelWeights weights, const EngineTarget& target) {
  const ModelConfig& config = shape.config;
  Packer packer(shape, weights, target);
  PackedModel model{.config = config,
                    .target = target,
                    .source_embeddings = {},
                    .target_embeddings = {},
                    .encoder = {},
                    .decoder = {},
                    .encoder_norm = {},
                    .decoder_norm = {},
                    .generator = {},
                    .embeddings_owner = {}};
  model.target_embeddings = packer.embeddings("tgt_embed.lut.weight", shape.target_pieces);
  model.source_embeddings = config.tie_embeddings == TieEmbeddings::kAll
                                ? model.target_embeddings
                                : packer.embeddings("src_embed.lut.weight", shape.source_pieces);
  for (int64_t i = 0; i < config.N; ++i) {
    const std::string layer = "layer_" + std::to_string(i) + ".";
    model.encoder.push_back(packer.encoder_layer("encoder." + layer));
    model.decoder.push_back(packer.decoder_layer("decoder." + layer));
  }
  if (model.norm_first()) {
    model.encoder_norm = packer.norm("encoder.norm.");
    model.decoder_norm = packer.norm("decoder.norm.");
  }
  model.generator = packer.generator();
  weights.check_all_used();
  model.embeddings_owner = weights.owner();
  return model;
}

void forbid_pieces(PackedModel& model, const std::vector<int32_t>& pieces) {
  for (const int32_t piece : pieces) {
    model.generator.set_bias(piece, -std::numeric_limits<float>::infinity());
  }
}

}  // namespace xformer
