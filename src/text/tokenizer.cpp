#include "text/tokenizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "text/clean_line.h"
#include "text/content_hash.h"
#include "text/sentencepiece_pieces.h"

namespace xformer {
namespace {

/// SentencePiece's mark of a space, U+2581.
constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

void check(const sentencepiece::util::Status& status, const std::string& what) {
  if (!status.ok()) throw UserError(what + ": " + std::string(status.message()));
}

/// The ids of pad, unk, bos and eos are part of the model's format. SentencePiece gives -1 for a
/// symbol that is missing or could be matched by text, so that this is also what keeps user text
/// from becoming one.
void check_special_ids(const sentencepiece::SentencePieceProcessor& processor,
                       const std::string& name) {
  if (processor.pad_id() == kPad && processor.unk_id() == kUnk && processor.bos_id() == kBos &&
      processor.eos_id() == kEos) {
    return;
  }
  throw UserError(
      fmt::format("{} has pad {}, unk {}, bos {}, eos {} (-1: none), must have pad {}, unk {}, bos "
                  "{}, eos {}: train it with "
                  "spm_train --pad_id={} --unk_id={} --bos_id={} --eos_id={}",
                  name, processor.pad_id(), processor.unk_id(), processor.bos_id(),
                  processor.eos_id(), kPad, kUnk, kBos, kEos, kPad, kUnk, kBos, kEos));
}

void replace_space_marks(std::string& text) {
  for (size_t at = text.find(kSpaceMark); at != text.npos; at = text.find(kSpaceMark, at)) {
    text.replace(at, kSpaceMark.size(), " ");
  }
}

}  // namespace

struct Tokenizer::Model {
  sentencepiece::SentencePieceProcessor processor;
  std::string name, bytes, hash;
  std::optional<PieceMap> map;
  SpecialTokens tokens;
  std::vector<std::string> languages;

  int64_t size() const { return map ? map->size() : processor.GetPieceSize(); }

  void check_id(int32_t id) const {
    if (id >= 0 && id < size()) return;
    throw std::out_of_range(fmt::format("piece {} is not in 0 .. {} of {}", id, size() - 1, name));
  }

  bool is_special(int32_t id) const {
    return id == tokens.pad || id == tokens.unk || id == tokens.bos || id == tokens.eos ||
           id == tokens.decoder_start;
  }

  bool is_language(const std::string& piece) const {
    return piece.starts_with(">>") && std::ranges::find(languages, piece) != languages.end();
  }

  void check_map() const {
    for (const int32_t id :
         {tokens.pad, tokens.unk, tokens.bos, tokens.eos, tokens.decoder_start}) {
      if (id < map->size()) continue;
      throw UserError(fmt::format("{}: its map has {} pieces, but a special token has the id {}",
                                  name, map->size(), id));
    }
    for (const auto& language : languages) {
      if (map->find(language)) continue;
      throw UserError(name + ": its map lacks the language token " + language);
    }
  }

  std::vector<int32_t> encode(std::string_view text) const {
    const absl::string_view plain(text.data(), text.size());
    if (!map) {
      std::vector<int> ids;
      check(processor.Encode(plain, &ids), name + " cannot encode a line");
      return ids;
    }
    std::vector<std::string> pieces;
    check(processor.Encode(plain, &pieces), name + " cannot encode a line");
    std::vector<int32_t> ids;
    for (const auto& piece : pieces) {
      const int32_t id = map->find(piece).value_or(tokens.unk);
      // A run of unknown characters is one piece, and may spell a token that text must not become.
      ids.push_back(is_special(id) || is_language(piece) ? tokens.unk : id);
    }
    return ids;
  }

  std::string decode(std::span<const int32_t> ids) const {
    std::string text;
    if (!map) {
      check(processor.Decode(std::vector<int>(ids.begin(), ids.end()), &text),
            name + " cannot decode");
      return text;
    }
    std::vector<std::string> pieces;
    for (const int32_t id : ids) {
      if (!is_special(id)) pieces.push_back(map->piece(id));
    }
    check(processor.Decode(pieces, &text), name + " cannot decode");
    return text;
  }
};

Tokenizer::Tokenizer(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

Tokenizer Tokenizer::load(const std::filesystem::path& path) {
  return from_bytes(read_file(path), path.string());
}

Tokenizer Tokenizer::from_bytes(std::string bytes, const std::string& name) {
  auto model = std::make_shared<Model>();
  load_sentencepiece(model->processor, bytes, name);
  check_special_ids(model->processor, name);
  model->name = name;
  model->hash = hash_of(bytes);
  model->bytes = std::move(bytes);
  return Tokenizer(std::move(model));
}

Tokenizer Tokenizer::with_map(MappedTokenizerParts parts, const std::string& name) {
  auto model = std::make_shared<Model>();
  load_sentencepiece(model->processor, parts.model, name);
  model->name = name;
  model->hash = hash_of(parts.model + parts.map.json());
  model->bytes = std::move(parts.model);
  model->map = std::move(parts.map);
  model->tokens = std::move(parts.tokens);
  model->languages = std::move(parts.languages);
  model->check_map();
  return Tokenizer(std::move(model));
}

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
  std::optional<int32_t> language = language_;
  const size_t end = text.starts_with(">>") ? text.find("<<") : text.npos;
  if (end != text.npos && model_->is_language(std::string(text.substr(0, end + 2)))) {
    language = model_->map->find(text.substr(0, end + 2));
    text.remove_prefix(end + 2);
  }
  auto ids = model_->encode(text);
  if (language && !ids.empty()) ids.insert(ids.begin(), *language);
  return ids;
}

std::string Tokenizer::decode(std::span<const int32_t> ids) const {
  for (const int32_t id : ids) model_->check_id(id);
  std::string text = model_->decode(ids);
  // Byte pieces can spell anything: the mark of a space, a line feed, half a character.
  replace_space_marks(text);
  std::string line;
  clean_line(text, line);
  if (!model_->map) return line;
  // Pieces of the other side, which the model does not know, keep their spaces.
  const size_t first = line.find_first_not_of(' '), last = line.find_last_not_of(' ');
  return first == line.npos ? "" : line.substr(first, last + 1 - first);
}

std::string Tokenizer::piece(int32_t id) const {
  model_->check_id(id);
  return model_->map ? model_->map->piece(id) : model_->processor.IdToPiece(id);
}

int64_t Tokenizer::size() const {
  return model_->size();
}

Tokenizer Tokenizer::for_language(const std::string& language) const {
  const auto& known = model_->languages;
  const std::string token = language.starts_with(">>") ? language : ">>" + language + "<<";
  if (!model_->is_language(token)) {
    throw UserError("--target-language is \"" + language + "\", " +
                    (known.empty() ? "but the model knows no languages: leave it out"
                                   : fmt::format("must be one of {}", fmt::join(known, ", "))));
  }
  Tokenizer tokenizer = *this;
  tokenizer.language_ = model_->map->find(token);
  return tokenizer;
}

bool Tokenizer::is_language_token(int32_t id) const {
  return model_->map && model_->is_language(piece(id));
}

const std::string& Tokenizer::hash() const {
  return model_->hash;
}

const std::string& Tokenizer::bytes() const {
  return model_->bytes;
}

const std::string& Tokenizer::map_json() const {
  static const std::string kNone;
  return model_->map ? model_->map->json() : kNone;
}

}  // namespace xformer
