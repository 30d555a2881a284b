#include "formats/hugging_face_config.h"

#include <algorithm>

#include "config/json_text.h"
#include "formats/json_settings.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostRows = 1'000'000, kMostWidth = 65'536, kMostLayers = 1000;

const HuggingFaceClass& class_of(const JsonSettings& json) {
  const auto* found = std::ranges::find_if(kHuggingFaceClasses, [&](const HuggingFaceClass& known) {
    return json["model_type"] == known.model_type;
  });
  if (found == std::end(kHuggingFaceClasses)) {
    json.refuse("model_type", "\"marian\" or \"pegasus\", which are the Transformer of this tool");
  }
  const auto& architectures = json["architectures"];
  const auto wanted = nlohmann::ordered_json::array({found->architecture});
  if (!architectures.is_null() && architectures != wanted) {
    json.refuse("architectures", shown(wanted) + " with model_type \"" + found->model_type + '"');
  }
  if (!json.flag_or("is_encoder_decoder", true)) json.refuse("is_encoder_decoder", "true");
  if (json.has("quantization_config"))
    json.refuse("quantization_config", "absent: weights are read as they are");
  return *found;
}

Activation activation_of(const JsonSettings& json) {
  std::string allowed;
  for (const auto& known : kHuggingFaceActivations) {
    if (json["activation_function"] == known.name) return known.activation;
    allowed += (allowed.empty() ? "\"" : ", \"") + std::string(known.name) + '"';
  }
  json.refuse("activation_function", "one of " + allowed);
}

TieEmbeddings ties_of(const JsonSettings& json, const HuggingFaceClass& kind) {
  const bool pre_norm = kind.norm == NormPlacement::kPre;
  const bool source = pre_norm || json.flag_or("share_encoder_decoder_embeddings", true);
  const bool output = json.flag_or("tie_word_embeddings", true);
  if (pre_norm && !output) json.refuse("tie_word_embeddings", "true with model_type \"pegasus\"");
  if (source) return output ? TieEmbeddings::kAll : TieEmbeddings::kSourceTarget;
  return output ? TieEmbeddings::kDecoder : TieEmbeddings::kNone;
}

VocabularySizes rows_of(const JsonSettings& json, const ModelConfig& model) {
  VocabularySizes sizes;
  sizes.source = json.whole("vocab_size", 1, kMostRows);
  sizes.target = json.optional_whole("decoder_vocab_size", 1, kMostRows).value_or(sizes.source);
  if (model.ties_source() && sizes.source != sizes.target) {
    json.refuse("decoder_vocab_size", std::to_string(sizes.source) +
                                          " as vocab_size is, since both sides share embeddings");
  }
  return sizes;
}

int64_t heads_of(const JsonSettings& json, const std::string& key, int64_t d_model) {
  const int64_t heads = json.whole(key, 1, kMostWidth);
  if (d_model % heads != 0) {
    json.refuse(key, "a divisor of d_model, which is " + std::to_string(d_model));
  }
  return heads;
}

/// Absent where the decoder is as the encoder.
std::optional<int64_t> unless_same(int64_t decoder, int64_t encoder) {
  return decoder == encoder ? std::nullopt : std::optional(decoder);
}

ModelConfig read_architecture(const JsonSettings& json, const HuggingFaceClass& kind) {
  ModelConfig model;
  model.d_model = json.whole("d_model", 1, kMostWidth);
  if (model.d_model % 2 != 0) json.refuse("d_model", "even: positions are sines and cosines");
  model.N = json.whole("encoder_layers", 1, kMostLayers);
  model.h = heads_of(json, "encoder_attention_heads", model.d_model);
  model.d_ff = json.whole("encoder_ffn_dim", 1, 1'000'000);
  model.N_decoder = unless_same(json.whole("decoder_layers", 1, kMostLayers), model.N);
  model.h_decoder = unless_same(heads_of(json, "decoder_attention_heads", model.d_model), model.h);
  model.d_ff_decoder = unless_same(json.whole("decoder_ffn_dim", 1, 1'000'000), model.d_ff);
  model.activation = activation_of(json);
  model.dropout = json.number_or("dropout", 0.1, 0, 0.999);
  model.attention_dropout = json.number_or("attention_dropout", 0, 0, 0.999);
  model.norm = kind.norm;
  model.positions = Positions::kHalves;
  model.max_positions = json.whole("max_position_embeddings", 2, 1'000'000);
  if (!json.flag("scale_embedding")) model.embedding_scale = 1.0;
  model.tie_embeddings = ties_of(json, kind);
  return model;
}

/// How generate() searches: its own file where there is one, else the model's.
class GenerationReader {
 public:
  GenerationReader(const JsonSettings& json, HuggingFaceConfig& config)
      : json_(json), config_(config) {}

  void read() {
    auto& decoding = config_.decoding;
    decoding.search = SearchRules::kHuggingFace;
    decoding.beam_size = json_.optional_whole("num_beams", 1, 1000).value_or(1);
    decoding.length_penalty = json_.number_or("length_penalty", 1, 0, 10);
    decoding.max_length = read_limit();
    read_never();
    note_others();
  }

 private:
  void note(const std::string& text) { config_.notes.push_back(json_.name() + ": " + text); }

  /// There the start counts as well; a search may not run beyond the last position.
  int64_t read_limit() {
    constexpr int64_t kDefault = 20;
    const auto fresh = json_.optional_whole("max_new_tokens", 1, 1'000'000);
    const auto all = json_.optional_whole("max_length", 2, 1'000'000);
    if (!fresh && !all) note("max_length is missing: translations end after 19 pieces, as there");
    const int64_t limit = fresh ? *fresh : all.value_or(kDefault) - 1;
    const int64_t most = config_.model.max_positions;
    if (limit > most) {
      note("max_length allows " + std::to_string(limit) + " pieces, there are positions for " +
           std::to_string(most));
    }
    return std::min(limit, most);
  }

  void read_never() {
    auto& never = config_.tokens.never;
    never.clear();
    const auto& words = json_["bad_words_ids"];
    if (!words.is_null() && !words.is_array())
      json_.refuse("bad_words_ids", "a list of lists of ids");
    for (const auto& word : words) {
      const auto is_id = [&](const nlohmann::ordered_json& id) {
        return id.is_number_unsigned() &&
               id.get<uint64_t>() < static_cast<uint64_t>(config_.sizes.target);
      };
      const bool valid =
          word.is_array() && !word.empty() && std::all_of(word.begin(), word.end(), is_id);
      if (!valid) {
        json_.refuse("bad_words_ids",
                     "a list of lists of ids below " + std::to_string(config_.sizes.target));
      }
      if (word.size() == 1) {
        never.push_back(word[0].get<int32_t>());
      } else {
        note("bad_words_ids holds " + shown(word) + ": only single pieces are forbidden here");
      }
    }
    if (std::ranges::find(never, config_.tokens.pad) == never.end()) {
      note("bad_words_ids lacks the padding: it is forbidden here all the same");
      never.push_back(config_.tokens.pad);
    }
    std::ranges::sort(never);
    never.erase(std::unique(never.begin(), never.end()), never.end());
    if (std::ranges::find(never, config_.tokens.eos) != never.end()) {
      json_.refuse("bad_words_ids", "without the end of a sentence, or nothing ever ends");
    }
  }

  /// Settings that change what generate() finds, each with the value that does not.
  void note_others() {
    const std::pair<const char*, nlohmann::ordered_json> neutral[] = {
        {"do_sample", false},        {"early_stopping", false},
        {"min_length", 0},           {"min_new_tokens", 0},
        {"no_repeat_ngram_size", 0}, {"encoder_no_repeat_ngram_size", 0},
        {"repetition_penalty", 1.0}, {"encoder_repetition_penalty", 1.0},
        {"num_beam_groups", 1},      {"diversity_penalty", 0.0},
        {"forced_bos_token_id", {}}, {"suppress_tokens", {}},
        {"force_words_ids", {}},     {"begin_suppress_tokens", {}},
        {"sequence_bias", {}},       {"exponential_decay_length_penalty", {}},
        {"penalty_alpha", {}},       {"constraints", {}}};
    for (const auto& [key, value] : neutral) {
      if (json_.has(key) && json_[key] != value) {
        note(std::string(key) + " is " + shown(json_[key]) + ", which is not taken over");
      }
    }
  }

  const JsonSettings& json_;
  HuggingFaceConfig& config_;
};

/// One id, or a list of one.
int32_t read_token(const JsonSettings& json, const std::string& key, int64_t rows) {
  auto value = json[key];
  if (value.is_array() && value.size() == 1) value = value[0];
  const bool fits =
      value.is_number_unsigned() && value.get<uint64_t>() < static_cast<uint64_t>(rows);
  if (!fits) json.refuse(key, "an id below " + std::to_string(rows));
  return value.get<int32_t>();
}

void read_tokens(const JsonSettings& json, const JsonSettings& generation,
                 HuggingFaceConfig& config) {
  const int64_t rows = std::min(config.sizes.source, config.sizes.target);
  auto& tokens = config.tokens;
  tokens.pad = read_token(json, "pad_token_id", rows);
  tokens.eos = read_token(json, "eos_token_id", rows);
  if (generation.has("eos_token_id") &&
      read_token(generation, "eos_token_id", rows) != tokens.eos) {
    generation.refuse("eos_token_id", std::to_string(tokens.eos) + " as in config.json");
  }
  const bool own_start = generation.has("decoder_start_token_id");
  tokens.decoder_start = read_token(own_start ? generation : json, "decoder_start_token_id", rows);
  config.decoding.force_eos = generation.has("forced_eos_token_id");
  if (config.decoding.force_eos &&
      read_token(generation, "forced_eos_token_id", rows) != tokens.eos) {
    generation.refuse("forced_eos_token_id", std::to_string(tokens.eos) + " as eos_token_id is");
  }
  if (tokens.pad == tokens.eos) {
    json.refuse("pad_token_id",
                "another id than eos_token_id, which is " + std::to_string(tokens.eos));
  }
}

}  // namespace

HuggingFaceConfig read_hugging_face_config(const fs::path& folder) {
  const JsonSettings json(folder / "config.json");
  if (json.has("format_version")) {
    throw UserError(folder.string() +
                    ": is a model of xformer already, --from must be one of another tool");
  }
  const bool own_file = fs::exists(folder / "generation_config.json");
  const JsonSettings generation = own_file ? JsonSettings(folder / "generation_config.json") : json;
  const auto& kind = class_of(json);

  HuggingFaceConfig config;
  config.type = kind.model_type;
  config.version = json.text_or("transformers_version", "");
  config.model = read_architecture(json, kind);
  config.sizes = rows_of(json, config.model);
  read_tokens(json, generation, config);
  if (!own_file && !json.root().contains("forced_eos_token_id")) {
    config.decoding.force_eos = kind.forced_eos == config.tokens.eos;
  }
  GenerationReader(generation, config).read();
  return config;
}

}  // namespace xformer
