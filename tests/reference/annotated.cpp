#include "reference/annotated.h"

#include <cmath>
#include <regex>

#include "formats/safetensors.h"

namespace xformer {
namespace {

constexpr int64_t kLayers = 2, kModel = 32, kFeedForward = 64, kHeads = 4;
constexpr int64_t kSourceWords = 37, kTargetWords = 41;

/// Our name of a parameter -> the Annotated Transformer's.
std::string annotated_name(std::string name) {
  static const std::pair<std::regex, const char*> kRules[] = {
      {std::regex("layer_(\\d+)"), "layers.$1"},
      {std::regex("w_q"), "linears.0"},
      {std::regex("w_k"), "linears.1"},
      {std::regex("w_v"), "linears.2"},
      {std::regex("w_o"), "linears.3"},
      {std::regex("(attn|self)_sublayer"), "sublayer.0"},
      {std::regex("src_sublayer"), "sublayer.1"},
      {std::regex("(encoder.*)ff_sublayer"), "$1sublayer.1"},
      {std::regex("(decoder.*)ff_sublayer"), "$1sublayer.2"},
      {std::regex("norm\\.weight"), "norm.a_2"},
      {std::regex("norm\\.bias"), "norm.b_2"},
      {std::regex("_embed\\.lut"), "_embed.0.lut"},
      {std::regex("generator\\."), "generator.proj."},
  };
  for (const auto& [ours, theirs] : kRules) name = std::regex_replace(name, ours, theirs);
  return name;
}

}  // namespace

Annotated::Annotated(const std::string& file)
    : tensors_(read_safetensors(XFORMER_SOURCE_DIR "/tests/reference/" + file).tensors) {}

const torch::Tensor& Annotated::at(const std::string& name) const {
  return tensors_.at(name);
}

ModelConfig Annotated::config() const {
  ModelConfig config{.N = kLayers, .d_model = kModel, .d_ff = kFeedForward, .h = kHeads};
  config.dropout = 0;
  config.norm_epsilon = 1e-12;  // theirs adds 1e-6 to the deviation, not to the variance
  config.tie_embeddings = TieEmbeddings::kNone;
  return config;
}

torch::Tensor Annotated::of_parameter(const std::string& group, const std::string& name) const {
  return tensors_.at(group + annotated_name(name));
}

EncoderDecoder Annotated::model() const {
  EncoderDecoder model(config(), VocabularySizes{kSourceWords, kTargetWords});
  torch::NoGradGuard no_grad;
  for (auto& item : model->named_parameters()) {
    item.value().copy_(of_parameter("weights/", item.key()));
    if (is_gain(item.key())) item.value().mul_(gain_factor());
  }
  model->eval();
  return model;
}

double Annotated::gain_factor() {
  return std::sqrt((kModel - 1.0) / kModel);
}

bool Annotated::is_gain(const std::string& name) {
  return name.ends_with("norm.weight");
}

double max_difference(const torch::Tensor& a, const torch::Tensor& b) {
  TORCH_CHECK(a.sizes() == b.sizes(), "shapes differ: ", a.sizes(), " and ", b.sizes());
  return (a - b).abs().max().item<double>();
}

}  // namespace xformer
