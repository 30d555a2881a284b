#include "engine/packed_model.h"

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

  PackedEncoderLayer encoder_layer(int64_t number) {
    const auto name = "encoder.layer_" + std::to_string(number) + ".";
    return {.self = attention(name + "self_attn.", name + "attn_sublayer.norm.", config_),
            .feed_forward = feed_forward(name, config_)};
  }

  PackedDecoderLayer decoder_layer(int64_t number) {
    const auto name = "decoder.layer_" + std::to_string(number) + ".";
    const auto config = config_.of_decoder();
    return {.self = attention(name + "self_attn.", name + "self_sublayer.norm.", config),
            .source = attention(name + "src_attn.", name + "src_sublayer.norm.", config),
            .feed_forward = feed_forward(name, config)};
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
            .scale = static_cast<float>(config_.embedding_factor())};
  }

  LinearPart generator() {
    const int64_t pieces = target_pieces_;
    const auto* matrix = config_.ties_output() ? "tgt_embed.lut.weight" : "generator.weight";
    const float* weight = weights_.values(matrix, {pieces, config_.d_model});
    const float* bias =
        config_.generator_bias ? weights_.values("generator.bias", {pieces}) : nullptr;
    return {.weight = weight, .bias = bias, .outputs = pieces};
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

  PackedAttention attention(const std::string& name, const std::string& norm_name,
                            const ModelConfig& config) {
    return {.heads = config.h,
            .norm = norm(norm_name),
            .query = square(name, {"w_q"}),
            .key_value = square(name, {"w_k", "w_v"}),
            .output = square(name, {"w_o"})};
  }

  PackedFeedForward feed_forward(const std::string& layer, const ModelConfig& config) {
    const std::string name = layer + "feed_forward.";
    const int64_t d = config.d_model, d_ff = config.d_ff;
    return {.norm = norm(layer + "ff_sublayer.norm."),
            .w_1 = PackedLinear({part(name + "w_1", d_ff, d)}, d, target_),
            .w_2 = PackedLinear({part(name + "w_2", d, d_ff)}, d_ff, target_)};
  }

  const ModelConfig& config_;
  int64_t target_pieces_;
  ModelWeights& weights_;
  const EngineTarget& target_;
};

/// They are never chosen, and get no share of the probability.
void forbid_pieces(PackedLinear& generator, const std::vector<int32_t>& pieces) {
  for (const int32_t piece : pieces) {
    generator.set_bias(piece, -std::numeric_limits<float>::infinity());
  }
}

}  // namespace

PackedModel pack_model(const ModelShape& shape, ModelWeights weights, const EngineTarget& target) {
  const ModelConfig& config = shape.config;
  Packer packer(shape, weights, target);
  PackedModel model{.config = config,
                    .tokens = shape.tokens,
                    .target = target,
                    .source_embeddings = {},
                    .target_embeddings = {},
                    .encoder = {},
                    .decoder = {},
                    .encoder_norm = {},
                    .decoder_norm = {},
                    .generator = {},
                    .screen = {},
                    .stored_generator = {},
                    .weights_owner = {}};
  model.target_embeddings = packer.embeddings("tgt_embed.lut.weight", shape.target_pieces);
  model.source_embeddings = config.ties_source()
                                ? model.target_embeddings
                                : packer.embeddings("src_embed.lut.weight", shape.source_pieces);
  for (int64_t i = 0; i < config.N; ++i) {
    model.encoder.push_back(packer.encoder_layer(i));
    weights.release();  // so that the file's pages and their packed copies are not held together
  }
  const int64_t decoder_layers = config.of_decoder().N;
  for (int64_t i = 0; i < decoder_layers; ++i) {
    model.decoder.push_back(packer.decoder_layer(i));
    weights.release();
  }
  if (config.has_final_norm()) {
    model.encoder_norm = packer.norm("encoder.norm.");
    model.decoder_norm = packer.norm("decoder.norm.");
  }
  const LinearPart generator = packer.generator();
  model.generator = PackedLinear({generator}, config.d_model, target);
  model.stored_generator = generator;
  if (target.screens && target.weights == WeightType::kFloat32) {
    model.screen = GeneratorScreen(generator, config.d_model, target.instructions);
  }
  forbid_pieces(model.generator, shape.tokens.never);
  weights.check_all_used();
  weights.release();
  model.weights_owner = weights.owner();
  return model;
}

}  // namespace xformer
