#include "formats/hugging_face_vocabulary.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "config/json_text.h"
#include "formats/json_settings.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// A blank, which no piece can hold, keeps text from ever meeting such a name.
std::string spare_piece(int64_t id) {
  return fmt::format("spare row {}", id);
}

class VocabularyReader {
 public:
  VocabularyReader(const fs::path& folder, HuggingFaceConfig& config)
      : folder_(folder), config_(config) {
    for (const char* name : {"source.spm", "target.spm", "vocab.json"}) require(name);
    if (fs::exists(folder / "tokenizer_config.json")) {
      settings_.emplace(folder / "tokenizer_config.json");
    }
  }

  HuggingFaceVocabulary read() {
    const bool separate = check_settings();
    const auto source = read_map("vocab.json", config_.sizes.source);
    const auto target = separate ? read_map("target_vocab.json", config_.sizes.target) : source;
    check_special(source, "vocab.json");
    if (separate) check_special(target, "target_vocab.json");
    check_added(source);
    forbid_spare(target);
    const auto languages = language_tokens_of(source);
    return {.vocabulary = {.source = tokenizer("source.spm", source, languages),
                           .target = tokenizer("target.spm", target, {}),
                           .tokens = config_.tokens},
            .separate = separate,
            .languages = languages,
            .name = read_name()};
  }

 private:
  void require(const std::string& name) const {
    if (fs::exists(folder_ / name)) return;
    throw UserError(folder_.string() + ": has no " + name +
                    ", must hold source.spm, target.spm and vocab.json, as MarianTokenizer does");
  }

  void note(const std::string& text) { config_.notes.push_back(text); }

  /// Whether each side has its own map.
  bool check_settings() {
    const bool has_target = fs::exists(folder_ / "target_vocab.json");
    bool separate = false;
    if (settings_) {
      const auto kind = settings_->text_or("tokenizer_class", "MarianTokenizer");
      if (kind != "MarianTokenizer") settings_->refuse("tokenizer_class", "\"MarianTokenizer\"");
      separate = settings_->flag_or("separate_vocabs", false);
      if (settings_->flag_or("clean_up_tokenization_spaces", false)) {
        note(settings_->name() +
             ": clean_up_tokenization_spaces is true: blanks before punctuation stay here");
      }
    }
    if (separate) require("target_vocab.json");
    if (has_target && !separate) {
      throw UserError((folder_ / "target_vocab.json").string() +
                      ": is there, but tokenizer_config.json has no separate_vocabs true");
    }
    if (separate && config_.model.ties_source()) {
      settings_->refuse("separate_vocabs", "false, since both sides share embeddings");
    }
    return separate;
  }

  PieceMap read_map(const std::string& file, int64_t rows) const {
    const auto name = (folder_ / file).string();
    auto map = PieceMap::from_json(read_file(folder_ / file), name);
    if (map.size() > rows) {
      throw UserError(
          fmt::format("{}: has {} pieces, the embeddings have {} rows", name, map.size(), rows));
    }
    if (map.size() == rows) return map;
    std::vector<std::string> pieces;
    for (int32_t id = 0; id < map.size(); ++id) pieces.push_back(map.piece(id));
    for (int64_t id = map.size(); id < rows; ++id) pieces.push_back(spare_piece(id));
    return piece_map_of(pieces, name);
  }

  /// The name of a special token: text, or an object that holds it.
  std::string special_name(const std::string& key, const std::string& otherwise) const {
    if (!settings_ || !settings_->has(key)) return otherwise;
    const auto& value = (*settings_)[key];
    if (value.is_object() && value.contains("content") && value["content"].is_string()) {
      return value["content"].get<std::string>();
    }
    return settings_->text(key);
  }

  void check_special(const PieceMap& map, const std::string& file) {
    const auto find = [&](const std::string& key, const std::string& otherwise) {
      const auto piece = special_name(key, otherwise);
      const auto id = map.find(piece);
      if (id) return *id;
      throw UserError(fmt::format("{}: has no piece {}, which is the {}", (folder_ / file).string(),
                                  shown_key(piece), key));
    };
    const auto require_id = [&](const std::string& key, const std::string& otherwise, int32_t id) {
      if (find(key, otherwise) == id) return;
      throw UserError(fmt::format(
          "{}: {} has the id {}, but config.json says {} is {}", (folder_ / file).string(),
          shown_key(special_name(key, otherwise)), find(key, otherwise), key + "_id", id));
    };
    require_id("eos_token", "</s>", config_.tokens.eos);
    require_id("pad_token", "<pad>", config_.tokens.pad);
    const int32_t unk = find("unk_token", "<unk>");
    if (file != "vocab.json" && unk != config_.tokens.unk) {
      throw UserError(fmt::format("{}: the unk_token has the id {}, in vocab.json it has {}",
                                  (folder_ / file).string(), unk, config_.tokens.unk));
    }
    config_.tokens.unk = unk;
    config_.tokens.bos = map.find("<s>").value_or(-1);
  }

  /// Tokens that someone added stand for text as it is, before SentencePiece sees it.
  void check_added(const PieceMap& source) const {
    const auto refuse = [&](const fs::path& file, const std::string& piece) {
      throw UserError(file.string() + ": adds the token " + shown_key(piece) +
                      ", which only the map of pieces may do");
    };
    if (fs::exists(folder_ / "added_tokens.json")) {
      const JsonSettings added(folder_ / "added_tokens.json");
      for (const auto& [piece, id] : added.root().items()) {
        if (!source.find(piece)) refuse(added.name(), piece);
      }
    }
    if (!settings_ || !settings_->has("added_tokens_decoder")) return;
    for (const auto& [id, token] : (*settings_)["added_tokens_decoder"].items()) {
      const bool named =
          token.is_object() && token.contains("content") && token["content"].is_string();
      if (!named) settings_->refuse("added_tokens_decoder", "an object of ids and tokens");
      const auto piece = token["content"].get<std::string>();
      if (!source.find(piece)) refuse(settings_->name(), piece);
    }
  }

  void forbid_spare(const PieceMap& target) {
    int64_t spare = 0;
    for (int32_t id = 0; id < target.size(); ++id) {
      if (target.piece(id) != spare_piece(id)) continue;
      config_.tokens.never.push_back(id);
      ++spare;
    }
    if (spare > 0) note(fmt::format("{} rows of the target embeddings have no piece", spare));
  }

  std::string read_name() const {
    if (!settings_) return {};
    const auto source = settings_->text_or("source_lang", ""),
               target = settings_->text_or("target_lang", "");
    return source.empty() || target.empty() ? "" : source + "-" + target;
  }

  Tokenizer tokenizer(const std::string& file, const PieceMap& map,
                      const std::vector<std::string>& languages) const {
    const auto path = folder_ / file;
    return Tokenizer::with_map(
        {.model = read_file(path), .map = map, .tokens = config_.tokens, .languages = languages},
        path.string());
  }

  const fs::path& folder_;
  HuggingFaceConfig& config_;
  std::optional<JsonSettings> settings_;
};

}  // namespace

HuggingFaceVocabulary read_hugging_face_vocabulary(const fs::path& folder,
                                                   HuggingFaceConfig& config) {
  return VocabularyReader(folder, config).read();
}

std::vector<std::string> language_tokens_of(const PieceMap& map) {
  std::vector<std::string> languages;
  for (int32_t id = 0; id < map.size(); ++id) {
    const auto& piece = map.piece(id);
    if (piece.size() > 4 && piece.starts_with(">>") && piece.ends_with("<<"))
      languages.push_back(piece);
  }
  return languages;
}

PieceMap piece_map_of(const std::vector<std::string>& pieces, const std::string& name) {
  std::string json;
  try {
    for (size_t id = 0; id < pieces.size(); ++id) {
      json +=
          fmt::format("{} {}: {}", id == 0 ? "{" : ",\n ", nlohmann::json(pieces[id]).dump(), id);
    }
    return PieceMap::from_json(json + "\n}\n", name);
  } catch (const nlohmann::json::type_error&) {
    throw UserError(name + ": holds a piece that is not UTF-8");
  }
}

}  // namespace xformer
