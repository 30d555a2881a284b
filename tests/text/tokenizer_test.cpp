#include "text/tokenizer.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <vector>

#include "catch.h"
#include "runtime/error.h"
#include "temporary_folder.h"
#include "text/expect_error.h"
#include "text/small_text.h"

using namespace xformer;

namespace {

class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  bool done() const override { return at_ == lines_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return lines_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> lines_;
  size_t at_ = 0;
};

/// A model from SentencePiece's own trainer, as other people bring them.
std::string foreign_model(std::unordered_map<std::string, std::string> options) {
  options.insert({{"vocab_size", "100"}, {"model_type", "bpe"}, {"minloglevel", "3"}});
  Sentences lines(small_text());
  std::string model;
  REQUIRE(sentencepiece::SentencePieceTrainer::Train(options, &lines, &model).ok());
  return model;
}

std::unordered_map<std::string, std::string> our_ids() {
  return {{"pad_id", "0"}, {"unk_id", "1"}, {"bos_id", "2"}, {"eos_id", "3"}};
}

std::vector<VocabularyConfig> kinds_of_vocabulary() {
  VocabularyConfig identity = small_vocabulary(), bytes = small_vocabulary();
  identity.normalization = "identity";
  bytes.byte_fallback = true;
  bytes.size = 340;
  return {small_vocabulary(), small_vocabulary(VocabularyType::kUnigram), identity, bytes};
}

int32_t id_of(const Tokenizer& tokenizer, const std::string& piece) {
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    if (tokenizer.piece(id) == piece) return id;
  }
  FAIL("no piece " << piece);
  return -1;
}

}  // namespace

TEST_CASE("text survives encoding and decoding") {
  for (const VocabularyConfig& config : kinds_of_vocabulary()) {
    const Tokenizer tokenizer = small_tokenizer(config);
    CHECK(tokenizer.size() == config.size);
    for (const std::string text :
         {"ein Mann schläft", "zwei große Hunde laufen über die Straße", "a", "house.house."}) {
      const auto ids = tokenizer.encode(text);
      CHECK_FALSE(ids.empty());
      CHECK(std::count(ids.begin(), ids.end(), kUnk) == 0);
      CHECK(tokenizer.decode(ids) == text);
    }
  }
}

TEST_CASE("the special symbols have their ids and leave no text") {
  const Tokenizer tokenizer = small_tokenizer();
  CHECK(tokenizer.piece(kPad) == "<pad>");
  CHECK(tokenizer.piece(kUnk) == "<unk>");
  CHECK(tokenizer.piece(kBos) == "<s>");
  CHECK(tokenizer.piece(kEos) == "</s>");
  std::vector<int32_t> ids = tokenizer.encode("a man");
  ids.insert(ids.begin(), kBos);
  ids.insert(ids.end(), {kEos, kPad, kPad});
  CHECK(tokenizer.decode(ids) == "a man");
  CHECK(tokenizer.decode({}) == "");
}

TEST_CASE("special symbols in user text stay text") {
  for (const VocabularyConfig& config : kinds_of_vocabulary()) {
    const Tokenizer tokenizer = small_tokenizer(config);
    for (const std::string text :
         {"</s>", "<s>", "<pad>", "<unk>", "a man </s> sleeps <pad> <s> in", "a</s>", "</s></s><s>",
          "<<s>>", "<0x41> <0x0A>", "\xE2\x96\x81</s>", "\xE2\x96\x81<s> \xE2\x96\x81"}) {
      for (const int32_t id : tokenizer.encode(text)) {
        CHECK(id != kPad);
        CHECK(id != kBos);
        CHECK(id != kEos);
      }
    }
    const std::string known = "a man </s> sleeps <s> in <pad>";
    CHECK(tokenizer.decode(tokenizer.encode(known)) == known);
  }
}

TEST_CASE("lines without a visible character have no pieces") {
  const Tokenizer tokenizer = small_tokenizer();
  for (const std::string text :
       {"", "   ", "\t", "\xE2\x80\x8B\xE2\x80\x8B", "\xE3\x80\x80", "\xC2\xA0", "\xEF\xBB\xBF"}) {
    CHECK(tokenizer.encode(text).empty());
  }
}

TEST_CASE("unknown characters become one unknown piece, invalid bytes do no harm") {
  const Tokenizer tokenizer = small_tokenizer();
  const auto ids = tokenizer.encode("a \xF0\x9F\x98\x80\xF0\x9F\x98\x80 man");
  CHECK(std::count(ids.begin(), ids.end(), kUnk) == 1);
  CHECK(tokenizer.decode(ids).find("man") != std::string::npos);
  CHECK_NOTHROW(tokenizer.encode("m\xFCnn \xF0\x9F"));
}

TEST_CASE("the mark of a space never reaches the text") {
  for (const VocabularyConfig& config : kinds_of_vocabulary()) {
    const Tokenizer tokenizer = small_tokenizer(config);
    for (const std::string text :
         {"a\xE2\x96\x81man", "\xE2\x96\x81 a", "a \xE2\x96\x81\xE2\x96\x81 man"}) {
      CHECK(tokenizer.decode(tokenizer.encode(text)).find("\xE2\x96\x81") == std::string::npos);
    }
    for (int32_t id = 0; id < tokenizer.size(); ++id) {
      CHECK(tokenizer.decode(std::vector<int32_t>{4, id, id, 5}).find("\xE2\x96\x81") ==
            std::string::npos);
    }
  }
}

TEST_CASE("byte pieces spell unseen characters, and no sequence of them breaks a line") {
  VocabularyConfig config = small_vocabulary();
  config.byte_fallback = true;
  config.size = 340;
  const Tokenizer tokenizer = small_tokenizer(config);
  CHECK(tokenizer.decode(tokenizer.encode("a \xF0\x9F\x98\x80 man")) == "a \xF0\x9F\x98\x80 man");

  const auto bytes = [&](const std::vector<std::string>& names) {
    std::vector<int32_t> ids = tokenizer.encode("a");
    for (const std::string& name : names) ids.push_back(id_of(tokenizer, "<0x" + name + ">"));
    return tokenizer.decode(ids);
  };
  CHECK(bytes({"0A", "62"}) == "a b");
  CHECK(bytes({"E2", "96", "81", "62"}) == "a b");
  CHECK(bytes({"E2", "80", "A8", "62"}) == "a b");
  CHECK(bytes({"F0", "9F", "62"}).find('b') != std::string::npos);
  CHECK(bytes({"F0", "9F", "62"}).find('\xF0') == std::string::npos);
}

TEST_CASE("an id that is no piece is refused") {
  const Tokenizer tokenizer = small_tokenizer();
  const auto past = static_cast<int32_t>(tokenizer.size());
  CHECK_THROWS_AS(tokenizer.piece(past), std::out_of_range);
  CHECK_THROWS_AS(tokenizer.piece(-1), std::out_of_range);
  CHECK_THROWS_AS(tokenizer.decode(std::vector<int32_t>{4, past}), std::out_of_range);
}

TEST_CASE("a model survives its file, and its hash tells it from others") {
  TemporaryFolder folder;
  const Tokenizer tokenizer = small_tokenizer();
  const Tokenizer loaded = Tokenizer::load(folder.file("sentencepiece.model", tokenizer.bytes()));
  CHECK(loaded.hash() == tokenizer.hash());
  CHECK(loaded.bytes() == tokenizer.bytes());
  CHECK(loaded.encode("zwei Hunde") == tokenizer.encode("zwei Hunde"));
  CHECK(Vocabulary{tokenizer, loaded}.shared());

  const Tokenizer unigram = small_tokenizer(small_vocabulary(VocabularyType::kUnigram));
  CHECK(unigram.size() == tokenizer.size());
  CHECK(unigram.hash() != tokenizer.hash());
  CHECK_FALSE(Vocabulary{tokenizer, unigram}.shared());
}

TEST_CASE("what is no model is refused by name") {
  TemporaryFolder folder;
  const auto refusal = [](const std::filesystem::path& path) {
    const std::string text = error_of<UserError>([&] { Tokenizer::load(path); });
    CHECK(text.find(path.string()) == 0);
    return text;
  };
  const std::string bytes = small_tokenizer().bytes();
  refusal(folder.path() / "missing.model");
  refusal(folder.path());
  for (const std::string& content :
       {std::string(), std::string("{\"a\": 1}\n"), std::string(1000, '\0'),
        bytes.substr(0, bytes.size() / 2), bytes.substr(1)}) {
    CHECK(refusal(folder.file("x.model", content)).find("not a SentencePiece model") !=
          std::string::npos);
  }
}

TEST_CASE(
    "a model with its special symbols elsewhere is refused with the way to make a right one") {
  const std::string defaults =
      error_of<UserError>([] { Tokenizer::from_bytes(foreign_model({}), "x.model"); });
  CHECK(defaults.find("x.model has pad -1, unk 0, bos 1, eos 2") == 0);
  CHECK(defaults.find("spm_train --pad_id=0 --unk_id=1 --bos_id=2 --eos_id=3") !=
        std::string::npos);

  auto no_bos = our_ids();
  no_bos["bos_id"] = "-1";
  no_bos["eos_id"] = "2";
  CHECK(error_of<UserError>([&] {
          Tokenizer::from_bytes(foreign_model(no_bos), "x");
        }).find("bos -1, eos 2") != std::string::npos);
}

TEST_CASE("a foreign model whose symbols could be typed gives no special id for text") {
  for (const std::string symbol : {"<pad>", "<s>", "</s>"}) {
    auto typed = our_ids();
    typed["user_defined_symbols"] = symbol;
    const std::string model = foreign_model(typed);
    CHECK_THROWS_AS(Tokenizer::from_bytes(model, "x"), UserError);
  }

  auto controls = our_ids();
  controls["control_symbols"] = "q";
  const Tokenizer tokenizer = Tokenizer::from_bytes(foreign_model(controls), "x");
  CHECK_THROWS_AS(tokenizer.encode("a Mann q"), UserError);
  CHECK_NOTHROW(tokenizer.encode("a Mann"));
}

namespace {

/// A map that has the pieces of a foreign model in reverse, special tokens and language tokens
/// among them, and pieces of another side.
MappedTokenizerParts mapped_parts() {
  MappedTokenizerParts parts{
      .model = foreign_model({{"unk_id", "1"}, {"eos_id", "0"}, {"bos_id", "-1"}}),
      .map = PieceMap::from_json("{}", "x")};
  sentencepiece::SentencePieceProcessor processor;
  REQUIRE(processor.LoadFromSerializedProto(parts.model).ok());
  std::vector<std::string> pieces = {">>deu<<", ">>cmn_Hans<<", "\xE2\x96\x81other", "side"};
  for (int id = processor.GetPieceSize() - 1; id >= 0; --id) {
    // One piece is missing, as can be where the map was cut.
    if (processor.IdToPiece(id) != "\xE2\x96\x81zwei") pieces.push_back(processor.IdToPiece(id));
  }
  pieces.push_back("<pad>");
  nlohmann::json json;
  for (size_t id = 0; id < pieces.size(); ++id) json[pieces[id]] = id;
  const auto last = static_cast<int32_t>(pieces.size()) - 1;
  parts.map = PieceMap::from_json(json.dump(), "vocab.json");
  parts.tokens = {.pad = last,
                  .unk = last - 2,
                  .bos = -1,
                  .eos = last - 1,
                  .decoder_start = last,
                  .never = {last}};
  parts.languages = {">>deu<<", ">>cmn_Hans<<"};
  return parts;
}

}  // namespace

TEST_CASE("with a map, text becomes pieces and these the map's ids, and back") {
  const auto parts = mapped_parts();
  const auto tokenizer = Tokenizer::with_map(parts, "source.spm");
  sentencepiece::SentencePieceProcessor processor;
  REQUIRE(processor.LoadFromSerializedProto(parts.model).ok());
  CHECK(tokenizer.size() == parts.map.size());
  for (const std::string& line : small_text(40)) {
    std::vector<std::string> pieces;
    REQUIRE(processor.Encode(line, &pieces).ok());
    const auto ids = tokenizer.encode(line);
    REQUIRE(ids.size() == pieces.size());
    bool known = true;
    for (size_t i = 0; i < ids.size(); ++i) {
      const bool in_map = parts.map.find(pieces[i]).has_value();
      known &= in_map;
      CHECK(ids[i] == (in_map ? *parts.map.find(pieces[i]) : parts.tokens.unk));
      if (in_map) CHECK(tokenizer.piece(ids[i]) == pieces[i]);
    }
    if (known) CHECK(tokenizer.decode(ids) == line);
  }
  const auto& tokens = parts.tokens;
  CHECK(tokenizer.decode(std::vector<int32_t>{tokens.decoder_start, 2, 3, tokens.unk, tokens.eos,
                                              tokens.pad}) == "otherside");
  CHECK(tokenizer.decode(std::vector<int32_t>{3, 2, 2}) == "side other other");
  CHECK_THROWS_AS(tokenizer.decode(std::vector<int32_t>{static_cast<int32_t>(tokenizer.size())}),
                  std::out_of_range);
}

TEST_CASE("with a map, special tokens in user text stay text") {
  auto parts = mapped_parts();
  const auto tokenizer = Tokenizer::with_map(parts, "source.spm");
  for (const std::string text : {"</s>", "a </s> man", "<pad>", "<unk> man", "a<pad></s>"}) {
    for (const int32_t id : tokenizer.encode(text)) {
      CHECK(id != parts.tokens.eos);
      CHECK(id != parts.tokens.pad);
    }
  }
  // Even where the model itself has such a piece.
  parts.model = foreign_model({{"user_defined_symbols", "<pad>"}});
  const auto typed = Tokenizer::with_map(parts, "source.spm");
  const auto ids = typed.encode("a <pad>");
  CHECK(std::count(ids.begin(), ids.end(), parts.tokens.pad) == 0);
  CHECK(std::count(ids.begin(), ids.end(), parts.tokens.unk) > 0);
}

TEST_CASE("a language token is one at the start of a line alone, and can be put there") {
  const auto tokenizer = Tokenizer::with_map(mapped_parts(), "source.spm");
  const auto text = tokenizer.encode("a man");
  auto with_language = text;
  with_language.insert(with_language.begin(), 0);
  CHECK(tokenizer.encode(">>deu<< a man") == with_language);
  CHECK(tokenizer.encode(">>deu<<a man") == with_language);
  CHECK(tokenizer.is_language_token(1));
  CHECK_FALSE(tokenizer.is_language_token(2));
  for (const std::string text :
       {" >>deu<< a man", "a >>deu<< man", ">>xyz<< a man", ">> a << man"}) {
    const auto ids = tokenizer.encode(text);
    CHECK(std::count(ids.begin(), ids.end(), 0) == 0);
    CHECK(ids.size() > with_language.size());  // nothing of it is lost
  }
  CHECK(tokenizer.encode(">>deu<< ").empty());

  for (const std::string name : {"deu", ">>deu<<"}) {
    const auto german = tokenizer.for_language(name);
    CHECK(german.encode("a man") == with_language);
    CHECK(german.encode(">>deu<< a man") == with_language);
    CHECK(german.encode(">>cmn_Hans<< a man")[0] == 1);
    CHECK(german.encode("  ").empty());
    CHECK(german.hash() == tokenizer.hash());
  }
  CHECK(error_of<UserError>([&] { tokenizer.for_language("fra"); }) ==
        "--target-language is \"fra\", must be one of >>deu<<, >>cmn_Hans<<");
  CHECK(error_of<UserError>([&] { small_tokenizer().for_language("fra"); }) ==
        "--target-language is \"fra\", but the model knows no languages: leave it out");
}

TEST_CASE("a map is part of the vocabulary's hash, and must fit its special tokens") {
  const auto parts = mapped_parts();
  auto other = parts;
  other.map = PieceMap::from_json(parts.map.json() + " ", "vocab.json");
  CHECK(Tokenizer::with_map(parts, "x").hash() != Tokenizer::with_map(other, "x").hash());
  CHECK(Tokenizer::with_map(parts, "x").map_json() == parts.map.json());
  CHECK(small_tokenizer().map_json().empty());

  other.tokens.eos = 4000;
  CHECK(error_of<UserError>([&] {
          Tokenizer::with_map(other, "x");
        }).find("but a special token has the id 4000") != std::string::npos);
  other = parts;
  other.languages.push_back(">>fra<<");
  CHECK(error_of<UserError>([&] { Tokenizer::with_map(other, "x"); }) ==
        "x: its map lacks the language token >>fra<<");
}

TEST_CASE("threads share a tokenizer") {
  const Tokenizer tokenizer = small_tokenizer();
  const std::vector<std::string> text = small_text();
  std::vector<std::vector<int32_t>> expected;
  for (const std::string& line : text) expected.push_back(tokenizer.encode(line));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, copy = tokenizer, t] {
      for (size_t i = 0; i < text.size(); ++i) {
        wrong[t] += copy.encode(text[i]) != expected[i] || copy.decode(expected[i]) != text[i];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}
