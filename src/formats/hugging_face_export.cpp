#include "formats/hugging_face_export.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "formats/hugging_face.h"
#include "formats/hugging_face_config.h"
#include "formats/hugging_face_vocabulary.h"
#include "formats/hugging_face_weights.h"
#include "formats/model_tensors.h"
#include "formats/safetensors.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Positions of a model that sets no limit, which there must be one: as many as their classes have.
constexpr int64_t kDefaultPositions = 1024;

void write_settings(const fs::path& path, const Json& json) {
  write_file_atomically(path, json.dump(2) + "\n");
}

class HuggingFaceExporter {
 public:
  explicit HuggingFaceExporter(const LoadedModel& model)
      : model_(model),
        config_(model.config),
        tokens_(model.vocabulary.tokens),
        pre_norm_(model.config.model.norm == NormPlacement::kPre) {
    check_model();
    check_vocabulary();
  }

  void write(const fs::path& folder) {
    write_settings(folder / "config.json", architecture());
    write_settings(folder / "generation_config.json", generation());
    write_tokenizer(folder);
    write_safetensors(folder / "model.safetensors",
                      {.tensors = tensors(), .metadata = {{"format", "pt"}}});
    check_read_back(folder);
  }

  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void require(bool holds, const std::string& key, const std::string& value,
               const std::string& rule) const {
    if (!holds) {
      throw UserError("--to huggingface: " + key + " is " + value + ", must be " + rule +
                      ": transformers has no such model");
    }
  }

  void check_model() const {
    const auto& model = config_.model;
    require(model.has_final_norm() == pre_norm_, "model.final_norm", pre_norm_ ? "false" : "true",
            pre_norm_ ? "true with model.norm \"pre\"" : "false with model.norm \"post\"");
    require(model.norm_epsilon == 1e-5, "model.norm_epsilon", fmt::format("{}", model.norm_epsilon),
            "1e-05");
    require(model.positions != Positions::kHalvesMarian, "model.positions", "\"halves_marian\"",
            "\"halves\" or \"interleaved\"");
    const double factor = model.embedding_factor();
    require(factor == 1 || factor == std::sqrt(static_cast<double>(model.d_model)),
            "model.embedding_scale", fmt::format("{}", factor), "true or false");
    require(!pre_norm_ || model.tie_embeddings == TieEmbeddings::kAll, "model.tie_embeddings",
            "not \"all\"", "\"all\" with model.norm \"pre\"");
  }

  void check_vocabulary() const {
    const auto& [source, target] = std::tie(model_.vocabulary.source, model_.vocabulary.target);
    require(source.size() == target.size(), "the source's vocabulary",
            fmt::format("{} pieces, the target's {}", source.size(), target.size()), "as many");
    for (const int32_t id : {tokens_.pad, tokens_.unk, tokens_.eos}) {
      require(source.piece(id) == target.piece(id), fmt::format("piece {}", id),
              source.piece(id) + " in one vocabulary and " + target.piece(id) + " in the other",
              "the same in both");
    }
  }

  bool separate() const { return !config_.vocabulary.shares_ids(); }

  int64_t positions() const {
    const int64_t limit = config_.model.max_positions;
    return limit > 0 ? limit : kDefaultPositions;
  }

  Json architecture() const {
    const auto& model = config_.model;
    const auto decoder = model.of_decoder();
    const auto& kind = *std::ranges::find(kHuggingFaceClasses, model.norm, &HuggingFaceClass::norm);
    const auto* activation = std::ranges::find(kHuggingFaceActivations, model.activation,
                                               &HuggingFaceActivation::activation);
    Json json = {{"architectures", Json::array({kind.architecture})},
                 {"model_type", kind.model_type},
                 {"is_encoder_decoder", true},
                 {"vocab_size", model_.vocabulary.source.size()},
                 {"d_model", model.d_model},
                 {"encoder_layers", model.N},
                 {"encoder_attention_heads", model.h},
                 {"encoder_ffn_dim", model.d_ff},
                 {"decoder_layers", decoder.N},
                 {"decoder_attention_heads", decoder.h},
                 {"decoder_ffn_dim", decoder.d_ff},
                 {"activation_function", activation->name},
                 {"dropout", model.dropout},
                 {"attention_dropout", model.attention_dropout_rate()},
                 {"activation_dropout", 0.0},
                 {"scale_embedding", model.embedding_factor() != 1},
                 {"max_position_embeddings", positions()},
                 {"tie_word_embeddings", model.ties_output()}};
    if (!pre_norm_) {
      json["decoder_vocab_size"] = model_.vocabulary.target.size();
      json["share_encoder_decoder_embeddings"] = model.ties_source();
    }
    add_tokens(json);
    json["torch_dtype"] = "float32";
    return json;
  }

  void add_tokens(Json& json) const {
    json["pad_token_id"] = tokens_.pad;
    json["bos_token_id"] = std::max(tokens_.bos, 0);
    json["eos_token_id"] = tokens_.eos;
    json["decoder_start_token_id"] = tokens_.decoder_start;
    json["forced_eos_token_id"] = config_.decoding.force_eos ? Json(tokens_.eos) : Json();
  }

  Json generation() {
    const auto& decoding = config_.decoding;
    const bool gnmt = decoding.search == SearchRules::kXformer;
    const double penalty = gnmt ? 1.0 : decoding.length_penalty;
    if (gnmt) {
      notes_.push_back(
          fmt::format("generation_config.json: the length penalty is n^1 there: "
                      "((5 + n) / 6)^{} cannot be expressed",
                      decoding.length_penalty));
    }
    const int64_t longest = decoding.max_length > 0 ? decoding.max_length : positions() - 1;
    Json json = {{"num_beams", decoding.beam_size},
                 {"max_length", longest + 1},  // the start counts there
                 {"length_penalty", penalty},
                 {"early_stopping", false}};
    auto never = tokens_.never;
    if (decoding.search != SearchRules::kHuggingFace) {
      // Its own rules leave what may not be chosen its share of the probability.
      json["renormalize_logits"] = true;
      never.push_back(tokens_.unk);
    }
    std::ranges::sort(never);
    never.erase(std::unique(never.begin(), never.end()), never.end());
    json["bad_words_ids"] = Json::array();
    for (const int32_t id : never) json["bad_words_ids"].push_back(Json::array({id}));
    add_tokens(json);
    return json;
  }

  static std::string map_of(const Tokenizer& tokenizer) {
    if (!tokenizer.map_json().empty()) return tokenizer.map_json();
    std::vector<std::string> pieces;
    for (int32_t id = 0; id < tokenizer.size(); ++id) pieces.push_back(tokenizer.piece(id));
    return piece_map_of(pieces, "the vocabulary").json();
  }

  void write_tokenizer(const fs::path& folder) const {
    const auto& [source, target] = std::tie(model_.vocabulary.source, model_.vocabulary.target);
    write_file_atomically(folder / "source.spm", source.bytes());
    write_file_atomically(folder / "target.spm", target.bytes());
    write_file_atomically(folder / "vocab.json", map_of(source));
    if (separate()) write_file_atomically(folder / "target_vocab.json", map_of(target));
    Json special = {{"unk_token", source.piece(tokens_.unk)},
                    {"eos_token", source.piece(tokens_.eos)},
                    {"pad_token", source.piece(tokens_.pad)}};
    write_settings(folder / "special_tokens_map.json", special);
    Json settings = {{"tokenizer_class", "MarianTokenizer"},
                     {"separate_vocabs", separate()},
                     {"model_max_length", positions()},
                     {"clean_up_tokenization_spaces", false}};
    const auto& origin = config_.origin;
    const auto name = origin.format.starts_with("huggingface") ? origin.name : std::string();
    const size_t dash = name.find('-');
    settings["source_lang"] = dash == name.npos ? Json() : Json(name.substr(0, dash));
    settings["target_lang"] = dash == name.npos ? Json() : Json(name.substr(dash + 1));
    settings.update(special);
    write_settings(folder / "tokenizer_config.json", settings);
  }

  /// A parameter in the order of its numbers there.
  torch::Tensor reordered(const ModelTensor& tensor, const torch::Tensor& value) const {
    if (config_.model.positions != Positions::kInterleaved || !tensor.residual) return value;
    const int64_t d_model = config_.model.d_model;
    const auto order = torch::cat({torch::arange(0, d_model, 2), torch::arange(1, d_model, 2)});
    return value.index_select(*tensor.residual, order);
  }

  std::map<std::string, torch::Tensor> tensors() const {
    torch::NoGradGuard no_grad;
    std::map<std::string, torch::Tensor> tensors;
    const auto parameters = model_.model->named_parameters();
    for (const auto& tensor : tensors_of(config_.model, sizes_of(model_.vocabulary))) {
      auto value = reordered(tensor, parameters[tensor.name()]);
      const bool output_bias = tensor.part == "generator" && tensor.kind == "bias";
      tensors[hugging_face_name(tensor, config_.model)] = output_bias ? value.unsqueeze(0) : value;
    }
    // transformers warns where a Pegasus lacks them.
    for (const std::string stack : {"encoder", "decoder"}) {
      if (!pre_norm_) break;
      tensors["model." + stack + ".embed_positions.weight"] =
          positional_encoding(positions(), config_.model.d_model, Positions::kHalves);
    }
    return tensors;
  }

  /// The architecture as it must read back.
  Config expected() const {
    auto expected = config_;
    auto& model = expected.model;
    model.positions = Positions::kHalves;
    model.max_positions = positions();
    model.attention_dropout = model.attention_dropout_rate();
    if (model.N_decoder == model.N) model.N_decoder.reset();
    if (model.h_decoder == model.h) model.h_decoder.reset();
    if (model.d_ff_decoder == model.d_ff) model.d_ff_decoder.reset();
    if (model.embedding_factor() != 1) model.embedding_scale.reset();
    model.final_norm.reset();
    return expected;
  }

  void check_read_back(const fs::path& folder) const {
    torch::NoGradGuard no_grad;
    const auto read = read_hugging_face(folder);
    const auto refuse = [&](const std::string& what) {
      throw RunError(folder.string() + ": reads back otherwise than it was written: " + what);
    };
    for (const auto& difference : differences(expected(), read.config)) {
      if (difference.starts_with("model.")) refuse(difference);
    }
    const auto& tokens = read.vocabulary.tokens;
    if (tokens.pad != tokens_.pad || tokens.unk != tokens_.unk || tokens.eos != tokens_.eos ||
        tokens.decoder_start != tokens_.decoder_start) {
      refuse("the special tokens");
    }
    for (int32_t id = 0; id < model_.vocabulary.target.size(); ++id) {
      if (read.vocabulary.target.piece(id) != model_.vocabulary.target.piece(id) ||
          read.vocabulary.source.piece(id) != model_.vocabulary.source.piece(id)) {
        refuse(fmt::format("piece {}", id));
      }
    }
    const auto ours = model_.model->named_parameters(), theirs = read.model->named_parameters();
    for (const auto& tensor : tensors_of(config_.model, sizes_of(model_.vocabulary))) {
      if (!torch::equal(reordered(tensor, ours[tensor.name()]), theirs[tensor.name()])) {
        refuse(tensor.name());
      }
    }
  }

  const LoadedModel& model_;
  const Config& config_;
  const SpecialTokens& tokens_;
  const bool pre_norm_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> write_hugging_face(const fs::path& folder, const LoadedModel& model) {
  HuggingFaceExporter exporter(model);
  exporter.write(folder);
  return exporter.notes();
}

}  // namespace xformer
