#include "formats/marian_vocabulary.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "config/json_text.h"
#include "formats/hugging_face_vocabulary.h"
#include "formats/marian_architecture.h"
#include "formats/marian_yaml.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "text/sentencepiece_pieces.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// One side: pieces by id, and what cuts text into them.
struct MarianSide {
  std::vector<std::string> pieces;
  fs::path spm;
};

class MarianVocabularyReader {
 public:
  explicit MarianVocabularyReader(const fs::path& file)
      : folder_(file.has_parent_path() ? file.parent_path() : fs::path(".")) {
    refuse_other_tools();
    if (fs::exists(folder_ / "decoder.yml")) {
      const auto path = folder_ / "decoder.yml";
      options_ = read_marian_options(read_file(path), path.string());
    }
  }

  MarianVocabularies read() {
    const auto files = vocabulary_files();
    auto source = read_side(files.front(), "source.spm"),
         target = read_side(files.back(), "target.spm");
    const VocabularySizes rows{static_cast<int64_t>(source.pieces.size()),
                               static_cast<int64_t>(target.pieces.size())};
    const size_t size = std::max(source.pieces.size(), target.pieces.size()) + 1;
    const auto source_map = extended(source.pieces, size, files.front());
    const auto target_map = extended(target.pieces, size, files.back());
    const auto tokens = tokens_of(source_map, target_map, rows.target);
    const auto languages = language_tokens_of(source_map);
    return {.vocabulary = {.source = tokenizer(source, source_map, tokens, languages),
                           .target = tokenizer(target, target_map, tokens, {}),
                           .tokens = tokens},
            .rows = rows,
            .separate = source.pieces != target.pieces,
            .languages = languages,
            .decoding = read_decoding(),
            .notes = notes_};
  }

 private:
  void refuse_other_tools() const {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const auto ending = entry.path().extension();
      if (ending == ".bpe" || ending == ".tcmodel") {
        throw UserError(entry.path().string() +
                        ": text for this model is cut or cased by another tool, must be cut by "
                        "SentencePiece: source.spm and target.spm");
      }
    }
  }

  /// Where decoder.yml has the path of another machine, the file lies here.
  fs::path here(const std::string& name) const {
    const auto path = folder_ / name;
    return fs::exists(path) ? path : folder_ / fs::path(name).filename();
  }

  /// One file for both sides, or one each.
  std::vector<fs::path> vocabulary_files() const {
    const auto named = options_.find("vocabs");
    if (named != options_.end()) {
      if (named->second.size() != 2) {
        throw UserError(fmt::format("{}: vocabs names {} files, must name one for each side",
                                    (folder_ / "decoder.yml").string(), named->second.size()));
      }
      return {here(named->second[0]), here(named->second[1])};
    }
    std::vector<fs::path> maps, models;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const auto name = entry.path().filename().string();
      if (name.ends_with("vocab.yml")) maps.push_back(entry.path());
      if (name.ends_with(".spm")) models.push_back(entry.path());
    }
    const auto& found = maps.empty() ? models : maps;
    if (found.size() == 1) return found;
    // "src" and "source" come before "trg" and "target".
    auto sorted = found;
    std::ranges::sort(sorted);
    if (sorted.size() == 2) return sorted;
    throw UserError(fmt::format(
        "{}: has {} vocabularies, must hold vocab.yml, or a decoder.yml that names them",
        folder_.string(), found.size()));
  }

  MarianSide read_side(const fs::path& file, const char* spm) const {
    if (file.extension() == ".fsv") {
      throw UserError(file.string() +
                      ": is a factored vocabulary, must be vocab.yml or a SentencePiece model");
    }
    if (file.extension() == ".spm") {
      return {sentencepiece_pieces(read_file(file), file.string()), file};
    }
    if (!fs::exists(folder_ / spm)) {
      throw UserError(folder_.string() + ": has no " + spm +
                      ", which cuts text into the pieces of " + file.filename().string());
    }
    return {read_marian_vocabulary(read_file(file), file.string()), folder_ / spm};
  }

  PieceMap extended(std::vector<std::string> pieces, size_t size, const fs::path& file) const {
    if (std::ranges::find(pieces, "<pad>") != pieces.end()) {
      throw UserError(file.string() + ": has a piece <pad>, which Marian's vocabularies have not");
    }
    while (pieces.size() + 1 < size) pieces.push_back(fmt::format("spare row {}", pieces.size()));
    pieces.emplace_back("<pad>");
    return piece_map_of(pieces, file.string());
  }

  SpecialTokens tokens_of(const PieceMap& source, const PieceMap& target, int64_t rows) const {
    const auto place = [&](const char* piece) {
      const auto a = source.find(piece), b = target.find(piece);
      if (a && b && *a == *b) return *a;
      throw UserError(
          fmt::format("{}: {} has the id {} in the source's vocabulary and {} in the "
                      "target's (-1: none), must have the same in both",
                      folder_.string(), piece, a.value_or(-1), b.value_or(-1)));
    };
    SpecialTokens tokens;
    tokens.eos = place("</s>");
    tokens.unk = place("<unk>");
    tokens.pad = place("<pad>");
    tokens.bos = -1;
    tokens.decoder_start = tokens.pad;
    tokens.never.clear();
    if (marian_option(options_, "allow-unk", "false") != "true") tokens.never.push_back(tokens.unk);
    for (int64_t id = rows; id <= tokens.pad; ++id)
      tokens.never.push_back(static_cast<int32_t>(id));
    return tokens;
  }

  Tokenizer tokenizer(const MarianSide& side, const PieceMap& map, const SpecialTokens& tokens,
                      const std::vector<std::string>& languages) const {
    return Tokenizer::with_map(
        {.model = read_file(side.spm), .map = map, .tokens = tokens, .languages = languages},
        side.spm.string());
  }

  double number(const std::string& key, double otherwise, double most) const {
    const auto text = marian_option(options_, key, "");
    if (text.empty()) return otherwise;
    double value = -1;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && rest == text.data() + text.size() && value >= 0 && value <= most) {
      return value;
    }
    throw UserError(fmt::format("{}: {} is {}, must be a number from 0 to {}",
                                (folder_ / "decoder.yml").string(), key, shown_key(text), most));
  }

  /// Marian's search is not copied; that of transformers has the same score, and the limit is
  /// Marian's own.
  DecodingConfig read_decoding() {
    DecodingConfig decoding;
    decoding.search = SearchRules::kHuggingFace;
    decoding.beam_size = std::max<int64_t>(1, static_cast<int64_t>(number("beam-size", 6, 1000)));
    decoding.length_penalty = number("normalize", 0, 10);
    decoding.max_length_factor = number("max-length-factor", 3, 1000);
    if (number("word-penalty", 0, 1000) != 0) {
      notes_.push_back((folder_ / "decoder.yml").string() + ": word-penalty is not taken over");
    }
    return decoding;
  }

  const fs::path folder_;
  MarianOptions options_;
  std::vector<std::string> notes_;
};

}  // namespace

MarianVocabularies read_marian_vocabularies(const fs::path& file) {
  return MarianVocabularyReader(file).read();
}

}  // namespace xformer
