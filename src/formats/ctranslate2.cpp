#include "formats/ctranslate2.h"

#include <nlohmann/json.hpp>

#include "formats/ctranslate2_file.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// CTranslate2 cuts its input at 1,024 pieces and its output at 256 unless told otherwise.
constexpr int64_t kPositionsWithoutLimit = 2048;
/// Takes a piece out of the softmax, and fits a float16.
constexpr double kNever = -1e4;

int64_t code_of(Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return 0;
    case Activation::kGeluTanh:
      return 1;
    case Activation::kSwish:
      return 2;
    case Activation::kGelu:
      return 3;
    case Activation::kGeluSigmoid:
      return 4;
  }
  TORCH_CHECK(false, "CTranslate2 has no such activation");
}

/// Collects the variables of a Transformer under CTranslate2's names.
class Exporter {
 public:
  Exporter(const EncoderDecoder& model, SpecialTokens tokens)
      : config_(model->config), tokens_(std::move(tokens)) {
    for (const auto& item : model->named_parameters()) weights_[item.key()] = item.value().detach();
  }

  Ctranslate2File file() && {
    side("encoder", config_);
    side("decoder", config_.of_decoder());
    embeddings();
    projection();
    return std::move(file_);
  }

 private:
  const torch::Tensor& weight(const std::string& name) const { return weights_.at(name); }
  void put(const std::string& name, torch::Tensor value) { file_.variables[name] = value; }
  void put_number(const std::string& name, int64_t value, torch::ScalarType type) {
    put(name, torch::tensor(value, type));
  }

  /// Linear layers with the same input become one, their rows stacked.
  void linear(const std::string& to, const std::vector<std::string>& from) {
    std::vector<torch::Tensor> matrices, biases;
    for (const auto& name : from) {
      matrices.push_back(weight(name + ".weight"));
      biases.push_back(weight(name + ".bias"));
    }
    put(to + "/weight", torch::cat(matrices));
    put(to + "/bias", torch::cat(biases));
  }
  void norm(const std::string& to, const std::string& from) {
    put(to + "/gamma", weight(from + ".weight"));
    put(to + "/beta", weight(from + ".bias"));
  }

  void side(const std::string& name, const ModelConfig& config) {
    put_number(name + "/num_heads", config.h, torch::kInt16);
    put_number(name + "/pre_norm", config.norm == NormPlacement::kPre, torch::kInt8);
    put_number(name + "/activation", code_of(config.activation), torch::kInt8);
    put(name + "/scale_embeddings", torch::tensor(config.embedding_factor(), torch::kFloat32));
    for (int64_t i = 0; i < config.N; ++i) layer(name, std::to_string(i));
    if (weights_.contains(name + ".norm.weight")) norm(name + "/layer_norm", name + ".norm");
  }

  void layer(const std::string& side, const std::string& number) {
    const bool decoder = side == "decoder";
    const auto from = side + ".layer_" + number + ".", to = side + "/layer_" + number + "/";
    const auto self = from + "self_attn.";
    linear(to + "self_attention/linear_0", {self + "w_q", self + "w_k", self + "w_v"});
    linear(to + "self_attention/linear_1", {self + "w_o"});
    norm(to + "self_attention/layer_norm",
         from + (decoder ? "self_sublayer.norm" : "attn_sublayer.norm"));
    if (decoder) {
      const auto source = from + "src_attn.";
      linear(to + "attention/linear_0", {source + "w_q"});
      linear(to + "attention/linear_1", {source + "w_k", source + "w_v"});
      linear(to + "attention/linear_2", {source + "w_o"});
      norm(to + "attention/layer_norm", from + "src_sublayer.norm");
    }
    linear(to + "ffn/linear_0", {from + "feed_forward.w_1"});
    linear(to + "ffn/linear_1", {from + "feed_forward.w_2"});
    norm(to + "ffn/layer_norm", from + "ff_sublayer.norm");
  }

  void embeddings() {
    put("decoder/embeddings/weight", weight("tgt_embed.lut.weight"));
    if (weights_.contains("src_embed.lut.weight")) {
      put("encoder/embeddings_0/weight", weight("src_embed.lut.weight"));
    } else {
      file_.aliases["encoder/embeddings_0/weight"] = "decoder/embeddings/weight";
    }
    const int64_t limit = config_.max_positions;
    put("decoder/position_encodings/encodings",
        positional_encoding(limit > 0 ? limit : kPositionsWithoutLimit, config_.d_model,
                            config_.positions));
    file_.aliases["encoder/position_encodings/encodings"] = "decoder/position_encodings/encodings";
  }

  void projection() {
    put_number("decoder/start_from_zero_embedding", 0, torch::kInt8);
    if (weights_.contains("generator.weight")) {
      put("decoder/projection/weight", weight("generator.weight"));
    } else {
      file_.aliases["decoder/projection/weight"] = "decoder/embeddings/weight";
    }
    auto bias = config_.generator_bias
                    ? weight("generator.bias").clone()
                    : torch::zeros(weight("tgt_embed.lut.weight").size(0), torch::kFloat32);
    for (const int32_t id : tokens_.never) bias[id] = kNever;
    put("decoder/projection/bias", bias);
  }

  const ModelConfig& config_;
  const SpecialTokens tokens_;
  std::map<std::string, torch::Tensor> weights_;
  Ctranslate2File file_;
};

/// As the package quantizes: a scale a row, 127 over the largest magnitude, ties to even.
void quantize(Ctranslate2File& file) {
  std::map<std::string, torch::Tensor> quantized;
  for (const auto& [name, value] : file.variables) {
    if (!name.ends_with("/weight")) continue;
    auto largest = std::get<0>(value.abs().max(1));
    largest = largest.masked_fill(largest == 0, 127);
    const auto scale = 127 / largest;
    quantized[name] = (value * scale.unsqueeze(1)).round().to(torch::kInt8);
    quantized[name + "_scale"] = scale;
  }
  for (auto& [name, value] : quantized) file.variables[name] = value;
  // Its reader finds the scales of an alias by the alias of the matrix.
}

void write_json(const fs::path& path, const nlohmann::ordered_json& json) {
  write_file_atomically(path, json.dump(2) + "\n");
}

void write_vocabulary(const fs::path& path, const Tokenizer& tokenizer) {
  auto pieces = nlohmann::ordered_json::array();
  for (int32_t id = 0; id < tokenizer.size(); ++id) pieces.push_back(tokenizer.piece(id));
  write_json(path, pieces);
}

void check_read_back(const fs::path& path, const Ctranslate2File& written) {
  const auto read = read_ctranslate2_file(path);
  bool same = read.aliases == written.aliases && read.variables.size() == written.variables.size();
  for (auto a = read.variables.begin(), b = written.variables.begin();
       same && a != read.variables.end(); ++a, ++b) {
    same = a->first == b->first && torch::equal(a->second, b->second);
  }
  if (!same) throw RunError(path.string() + ": reads back otherwise than it was written");
}

}  // namespace

void write_ctranslate2(const fs::path& folder, const LoadedModel& model,
                       Ctranslate2Weights weights) {
  auto file = Exporter(model.model, model.vocabulary.tokens).file();
  if (weights == Ctranslate2Weights::kInt8) quantize(file);
  write_ctranslate2_file(folder / "model.bin", file);
  check_read_back(folder / "model.bin", file);

  const auto& [source, target, tokens] = model.vocabulary;
  if (model.vocabulary.shared()) {
    write_vocabulary(folder / "shared_vocabulary.json", target);
  } else {
    write_vocabulary(folder / "source_vocabulary.json", source);
    write_vocabulary(folder / "target_vocabulary.json", target);
  }
  // Pieces in, pieces out: the library adds the end of the source by itself.
  write_json(folder / "config.json",
             {{"add_source_bos", false},
              {"add_source_eos", true},
              {"bos_token", tokens.bos < 0 ? "<s>" : target.piece(tokens.bos)},
              {"decoder_start_token", target.piece(tokens.decoder_start)},
              {"eos_token", target.piece(tokens.eos)},
              {"layer_norm_epsilon", model.config.model.norm_epsilon},
              {"unk_token", target.piece(tokens.unk)}});
}

}  // namespace xformer
