#include "storage/model_folder.h"

#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";
constexpr const char* kSharedVocabulary = "sentencepiece.model";
constexpr const char* kSourceVocabulary = "source.model";
constexpr const char* kTargetVocabulary = "target.model";
constexpr const char *kSourceHash = "source_vocabulary", *kTargetHash = "target_vocabulary";

void require_same_vocabulary(const std::string& side, const std::string& expected,
                             const std::string& found, const fs::path& folder) {
  if (expected == found) return;
  throw UserError(folder.string() + ": the " + side + " vocabulary has the hash " + found +
                  ", but the weights were trained with " + (expected.empty() ? "none" : expected));
}

/// Ids of tokens lead into matrices: none may lead beside them.
void check_tokens(const Vocabulary& vocabulary, const fs::path& folder) {
  const auto& [source, target, tokens] = vocabulary;
  const auto check = [&](int32_t id, const Tokenizer& tokenizer, const char* side) {
    if (id < tokenizer.size()) return;
    throw UserError((folder / kConfig).string() + ": tokens holds the id " + std::to_string(id) +
                    ", must hold ids below " + std::to_string(tokenizer.size()) +
                    ", the number of " + side + " pieces");
  };
  for (const int32_t id : {tokens.pad, tokens.eos}) check(id, source, "source");
  for (const int32_t id : {tokens.pad, tokens.unk, tokens.bos, tokens.eos, tokens.decoder_start}) {
    check(id, target, "target");
  }
  for (const int32_t id : tokens.never) check(id, target, "target");
}

}  // namespace

VocabularyHashes hashes_of(const Vocabulary& vocabulary) {
  return {.source = vocabulary.source.hash(), .target = vocabulary.target.hash()};
}

void write_model_description(const fs::path& folder, Config config, const Vocabulary& vocabulary) {
  if (vocabulary.shared()) {
    write_file_atomically(folder / kSharedVocabulary, vocabulary.source.bytes());
  } else {
    write_file_atomically(folder / kSourceVocabulary, vocabulary.source.bytes());
    write_file_atomically(folder / kTargetVocabulary, vocabulary.target.bytes());
  }
  const auto write_map = [&](const std::string& name, const Tokenizer& tokenizer) {
    if (!name.empty()) write_file_atomically(folder / name, tokenizer.map_json());
  };
  write_map(config.vocabulary.source_map, vocabulary.source);
  write_map(config.vocabulary.target_map, vocabulary.target);
  config.tokens = vocabulary.tokens;
  config.vocabulary_hashes = hashes_of(vocabulary);
  write_file_atomically(folder / kConfig, to_json(config));
}

void remove_model(const fs::path& folder) {
  for (const char* name : {kConfig, kWeights, kSharedVocabulary, kSourceVocabulary,
                           kTargetVocabulary, kSharedMap, kSourceMap, kTargetMap}) {
    fs::remove(folder / name);
  }
}

fs::path weights_file(const fs::path& folder) {
  return folder / kWeights;
}

Config read_model_config(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw UserError(folder.string() + ": is not a folder, must be one that xformer train wrote");
  }
  const auto path = folder / kConfig;
  return parse_config(read_file(path), path.string());
}

Vocabulary read_vocabulary(const fs::path& folder, const Config& config) {
  const auto& maps = config.vocabulary;
  const auto read_map = [&](const std::string& name) {
    const auto path = folder / name;
    return name.empty() ? std::nullopt
                        : std::optional(PieceMap::from_json(read_file(path), path.string()));
  };
  const std::vector<std::string> none;
  const auto load = [&](const char* model, const std::optional<PieceMap>& map,
                        const std::vector<std::string>& languages) {
    if (!map) return Tokenizer::load(folder / model);
    return Tokenizer::with_map({.model = read_file(folder / model),
                                .map = *map,
                                .tokens = config.tokens,
                                .languages = languages},
                               (folder / model).string());
  };
  const auto with_tokens = [&](const Tokenizer& source, const Tokenizer& target) {
    Vocabulary vocabulary{.source = source, .target = target, .tokens = config.tokens};
    check_tokens(vocabulary, folder);
    return vocabulary;
  };
  const auto source_map = read_map(maps.source_map);
  const auto target_map =
      maps.target_map == maps.source_map ? source_map : read_map(maps.target_map);
  if (fs::exists(folder / kSharedVocabulary)) {
    const auto tokenizer = load(kSharedVocabulary, source_map, maps.language_tokens);
    return with_tokens(tokenizer, tokenizer);
  }
  if (!fs::exists(folder / kSourceVocabulary)) {
    throw UserError(folder.string() + ": has no vocabulary, must hold " + kSharedVocabulary +
                    ", or " + kSourceVocabulary + " and " + kTargetVocabulary);
  }
  // The target's map need not know the languages that a source line may name.
  return with_tokens(load(kSourceVocabulary, source_map, maps.language_tokens),
                     load(kTargetVocabulary, target_map, none));
}

ModelDescription read_description(const fs::path& folder) {
  const auto config = read_model_config(folder);
  return {.folder = folder, .config = config, .vocabulary = read_vocabulary(folder, config)};
}

std::map<std::string, std::string> metadata_for(const Vocabulary& vocabulary) {
  const auto hashes = hashes_of(vocabulary);
  return {{"format", "xformer"}, {kSourceHash, hashes.source}, {kTargetHash, hashes.target}};
}

void check_vocabulary(const fs::path& folder, const std::map<std::string, std::string>& metadata,
                      const Vocabulary& vocabulary) {
  const auto expected = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  const auto hashes = hashes_of(vocabulary);
  require_same_vocabulary("source", expected(kSourceHash), hashes.source, folder);
  require_same_vocabulary("target", expected(kTargetHash), hashes.target, folder);
}

}  // namespace xformer
