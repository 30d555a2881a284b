#include "text/vocabulary_trainer.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "runtime/error.h"
#include "temporary_folder.h"
#include "text/captured_log.h"
#include "text/expect_error.h"
#include "text/small_text.h"
#include "text/text_survey.h"
#include "text/training_text.h"

using namespace xformer;

namespace {

TrainingFiles surveyed(std::vector<std::filesystem::path> files) {
  int64_t lines = 0;
  for (const auto& file : files) lines += survey_text(file).lines;
  return {std::move(files), lines};
}

std::string joined(const std::vector<std::string>& lines, const std::string& end = "\n") {
  std::string text;
  for (const std::string& line : lines) text += line + end;
  return text;
}

Tokenizer trained(const std::vector<std::string>& text, const VocabularyConfig& config,
                  int64_t threads = 1) {
  return train_tokenizer(from(text), "text", config, threads);
}

std::string refusal(const std::vector<std::string>& text, const VocabularyConfig& config) {
  return error_of<UserError>([&] { trained(text, config); });
}

VocabularyConfig of_size(int64_t size, VocabularyType type) {
  VocabularyConfig config = small_vocabulary(type);
  config.size = size;
  return config;
}

int64_t last_number(const std::string& text) {
  const size_t end = text.find_last_of("0123456789");
  const size_t begin = text.find_last_not_of("0123456789", end);
  return std::stoll(text.substr(begin + 1, end - begin));
}

/// Every character once, each in a word with the letter a.
std::vector<std::string> text_of_many_characters(int count) {
  std::vector<std::string> text(200, "a aa aaa");
  for (int i = 0; i < count; ++i) {
    const int c = 0x4E00 + i;
    text.push_back({static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
                    static_cast<char>(0x80 | (c & 0x3F))});
  }
  return text;
}

std::vector<std::string> portions_of(const std::vector<std::string>& text) {
  TextPortions portions(from(text));
  std::vector<std::string> all;
  for (std::string portion; portions.next(portion);) all.push_back(portion);
  return all;
}

}  // namespace

TEST_CASE("the same text gives the same bytes") {
  const auto type = GENERATE(VocabularyType::kBpe, VocabularyType::kUnigram);
  const std::vector<std::string> text = small_text();
  const Tokenizer once = trained(text, small_vocabulary(type));
  CHECK(trained(text, small_vocabulary(type)).bytes() == once.bytes());
  CHECK(trained(text, small_vocabulary(type), 2).bytes() ==
        trained(text, small_vocabulary(type), 2).bytes());
}

TEST_CASE("threads change nothing in a bpe vocabulary") {
  const std::vector<std::string> text = small_text();
  CHECK(trained(text, small_vocabulary(), 2).bytes() ==
        trained(text, small_vocabulary(), 1).bytes());
}

TEST_CASE("files give the vocabulary of their lines, whatever the line ends") {
  TemporaryFolder folder;
  const std::vector<std::string> text = small_text();
  const std::vector<std::string> first(text.begin(), text.begin() + 100),
      rest(text.begin() + 100, text.end());
  const Tokenizer expected = trained(text, small_vocabulary());
  const auto a = folder.file("a", joined(first)), b = folder.file("b", joined(rest));
  CHECK(train_tokenizer(surveyed({a, b}), small_vocabulary(), 1).bytes() == expected.bytes());
  const auto windows = folder.file("w", "\xEF\xBB\xBF" + joined(text, "\r\n"));
  CHECK(train_tokenizer(surveyed({windows}), small_vocabulary(), 1).bytes() == expected.bytes());
}

TEST_CASE("training says nothing of its own") {
  CapturedLog log;
  trained(small_text(), small_vocabulary());
  CHECK(log.text().empty());
}

TEST_CASE("a size that is too high is refused with the one that can be had") {
  const auto type = GENERATE(VocabularyType::kBpe, VocabularyType::kUnigram);
  const std::string text = refusal(small_text(), of_size(32000, type));
  CHECK(text.find("vocabulary.size is 32000, but text can give at most ") == 0);
  const int64_t most = last_number(text);
  CHECK(trained(small_text(), of_size(most, type)).size() == most);
  CHECK(last_number(refusal(small_text(), of_size(most + 1, type))) == most);
}

TEST_CASE("a size that is too low is refused with the one that is needed") {
  const auto type = GENERATE(VocabularyType::kBpe, VocabularyType::kUnigram);
  const std::string text = refusal(small_text(), of_size(20, type));
  CHECK(text.find("vocabulary.size is 20, but text needs at least ") == 0);
  const size_t at = text.find("least ") + 6;
  const int64_t least = std::stoll(text.substr(at));
  CHECK(trained(small_text(), of_size(least, type)).size() == least);
  CHECK_THROWS_AS(trained(small_text(), of_size(least - 1, type)), UserError);
}

TEST_CASE("sizes that leave no room for the special symbols are refused") {
  for (const int64_t size : {-1, 0, 1, 3, 4}) {
    CHECK(refusal(small_text(), of_size(size, VocabularyType::kBpe)).find(std::to_string(size)) !=
          std::string::npos);
  }
}

TEST_CASE("text without a visible character is refused") {
  const auto type = GENERATE(VocabularyType::kBpe, VocabularyType::kUnigram);
  const std::vector<std::vector<std::string>> texts = {
      {},
      {""},
      {"", "  ", "\t"},
      {"\xE2\x80\x8B", "\xE3\x80\x80", "\xEF\xBB\xBF", "\xEF\xBF\xBD", "\xE2\x96\x81",
       "\xE2\x96\x85"}};
  for (const auto& text : texts) {
    CHECK(refusal(text, small_vocabulary(type)) == "text: no text to train a vocabulary on");
  }
  TemporaryFolder folder;
  const auto path = folder.file("empty", "");
  CHECK(error_of<UserError>([&] {
          train_tokenizer(surveyed({path}), small_vocabulary(), 1);
        }).find(path.string()) == 0);
}

TEST_CASE("tiny texts give a vocabulary or a plain refusal") {
  const auto type = GENERATE(VocabularyType::kBpe, VocabularyType::kUnigram);
  for (const std::string line :
       {"a", "ab", "a b", "aaaa", "\xF0\x9F\x98\x80", "</s>", "<s> a", "1 1 1"}) {
    for (int64_t size = 5; size < 12; ++size) {
      const std::vector<std::string> text = {line};
      try {
        const Tokenizer tokenizer = trained(text, of_size(size, type));
        CHECK(tokenizer.size() == size);
      } catch (const UserError& error) {
        CHECK(std::string(error.what()).find(std::to_string(size)) != std::string::npos);
      }
    }
  }
}

TEST_CASE("an unknown normalization is refused with those that there are") {
  VocabularyConfig config = small_vocabulary();
  config.normalization = "nfc";
  const std::string text = refusal(small_text(), config);
  CHECK(text.find("vocabulary.normalization is \"nfc\", must be nmt_nfkc") == 0);
  for (const std::string rule : {"nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"}) {
    CHECK(text.find(rule) != std::string::npos);
    config.normalization = rule;
    CHECK_NOTHROW(trained(small_text(), config));
  }
}

TEST_CASE("normalization reaches the model") {
  VocabularyConfig identity = small_vocabulary(), folded = small_vocabulary();
  identity.normalization = "identity";
  folded.normalization = "nmt_nfkc_cf";
  std::vector<std::string> text = small_text();
  text.insert(text.end(), 20, "Mann… M");
  const auto round_trip = [&](const VocabularyConfig& config) {
    const Tokenizer tokenizer = trained(text, config);
    return tokenizer.decode(tokenizer.encode("Mann…"));
  };
  CHECK(round_trip(identity) == "Mann…");
  CHECK(round_trip(small_vocabulary()) == "Mann...");
  CHECK(round_trip(folded) == "mann...");
}

TEST_CASE("every character has a piece as long as there is room") {
  TemporaryFolder folder;
  const auto path = folder.file("many", joined(text_of_many_characters(300)));
  CapturedLog log;
  const Tokenizer roomy = train_tokenizer(surveyed({path}), of_size(308, VocabularyType::kBpe), 1);
  CHECK(roomy.encode("\xE4\xB8\x80").back() != kUnk);
  CHECK(log.text().empty());
}

TEST_CASE("the rarest characters are left out, with a warning, when there is no room") {
  TemporaryFolder folder;
  std::vector<std::string> text = text_of_many_characters(30);
  for (int i = 0; i < 200; ++i)
    text.push_back(
        "the quick brown fox jumps over lazy dogs and cats again and again to the end of days");
  text.insert(text.end(), 1500,
              "aaaaaaaaaa aaaaaaaaaa aaaaaaaaaa aaaaaaaaaa aaaaaaaaaa aaaaaaaaaa");
  const auto path = folder.file("many", joined(text));
  CapturedLog log;
  const Tokenizer tight = train_tokenizer(surveyed({path}), of_size(45, VocabularyType::kBpe), 1);
  CHECK(tight.size() == 45);
  CHECK(log.text().find("warning: " + path.string() + ": a piece for each character takes ") == 0);
  CHECK(log.text().find("vocabulary.size is 45") != std::string::npos);
}

TEST_CASE("long lines and long words train, and are counted in a warning") {
  const auto type = GENERATE(VocabularyType::kBpe, VocabularyType::kUnigram);
  std::vector<std::string> text = small_text();
  std::string words, word;
  while (words.size() < 100000) words += "unheard " + std::to_string(words.size() % 977) + " ";
  for (int64_t i = 0; i < 100000; ++i) word += static_cast<char>('a' + i * i % 26);
  text.push_back(words);
  text.push_back(word);
  CapturedLog log;
  const Tokenizer tokenizer = trained(text, of_size(120, type));
  CHECK(log.text() ==
        "warning: text: 2 lines longer than 4000 bytes were cut for training the vocabulary\n");
  CHECK(tokenizer.encode("unheard").size() < 4);
}

TEST_CASE("portions keep all text, cut at spaces and never inside a character") {
  std::string words;
  while (words.size() < 9000)
    words +=
        "Gr\xC3\xBC\xC3\x9F"
        "e \xE6\x97\xA5\xE6\x9C\xAC " +
        std::to_string(words.size()) + " ";
  std::string word = "x";
  while (word.size() < 9000) word += "\xF0\x9F\x98\x80";
  for (const std::string& line :
       {words, word, std::string("short"), std::string(4000, 'a'), std::string(4001, 'a')}) {
    std::string all;
    for (const std::string& portion : portions_of({line})) {
      CHECK(portion.size() <= TextPortions::kLongestPortion);
      CHECK((portion[0] & 0xC0) != 0x80);
      all += portion;
    }
    CHECK(all == line);
  }
  const auto cut = portions_of({words});
  REQUIRE(cut.size() > 1);
  for (size_t i = 1; i < cut.size(); ++i) CHECK(cut[i][0] == ' ');
}

TEST_CASE("portions leave out what SentencePiece's trainer would skip a line for") {
  CHECK(portions_of({"", "a \xE2\x96\x85 b", " ", "\xE2\x96\x85", "c"}) ==
        std::vector<std::string>{"a   b", "c"});
}

TEST_CASE("of too many lines the same share is drawn each time") {
  TemporaryFolder folder;
  std::vector<std::string> lines;
  for (int i = 0; i < 10000; ++i) lines.push_back(std::to_string(i));
  const std::vector<std::filesystem::path> files = {folder.file("a", joined(lines)),
                                                    folder.file("b", joined(lines))};
  const auto drawn = [&](int64_t most) {
    FileLines file_lines(surveyed(files), most);
    std::vector<std::string> result;
    for (std::string line; file_lines.next(line);) result.push_back(line);
    return result;
  };
  const auto some = drawn(5000);
  CHECK(drawn(5000) == some);
  CHECK(std::abs(static_cast<int64_t>(some.size()) - 5000) < 300);
  CHECK(std::set<std::string>(some.begin(), some.end()).size() > 4000);
  CHECK(drawn(20000).size() == 20000);
}

TEST_CASE("an error of the line source comes out as it is") {
  int calls = 0;
  const auto failing = [&](std::string& line) {
    if (++calls > 3) throw RunError("disk on fire");
    line = "a man";
    return true;
  };
  CHECK(error_of<RunError>([&] { train_tokenizer(failing, "text", small_vocabulary(), 1); }) ==
        "disk on fire");
}
