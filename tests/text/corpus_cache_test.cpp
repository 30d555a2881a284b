#include "text/corpus_cache.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "temporary_folder.h"
#include "text/captured_log.h"
#include "text/expect_error.h"
#include "text/small_text.h"

using namespace xformer;

namespace {

const Vocabulary& vocabulary() {
  static const Tokenizer tokenizer = small_tokenizer();
  static const Vocabulary shared{tokenizer, tokenizer};
  return shared;
}

struct Corpus {
  TemporaryFolder folder;
  CorpusFiles files;
  Corpus(const std::string& source, const std::string& target)
      : files{folder.file("train.de", source), folder.file("train.en", target)} {}
  std::string names() const { return files.source.string() + " and " + files.target.string(); }
};

/// Surveys and loads, with a cache in the corpus' own folder.
ParallelCorpus load(const Corpus& corpus, int64_t max_length, const Vocabulary& with = vocabulary(),
                    int64_t threads = 2) {
  return load_corpus(corpus.files, survey_corpus(corpus.files), with,
                     {.cache = corpus.folder.path(), .max_length = max_length, .threads = threads});
}

std::string text_of(std::span<const int32_t> ids) {
  return vocabulary().source.decode(ids);
}

}  // namespace

TEST_CASE("pairs are read in order and can be read back") {
  const Corpus corpus("ein Mann\nzwei Hunde\r\nschläft", "a man\ntwo dogs\nsleeps\n");
  CapturedLog log;
  const ParallelCorpus pairs = load(corpus, 256);
  REQUIRE(pairs.size() == 3);
  CHECK(text_of(pairs.source(0)) == "ein Mann");
  CHECK(text_of(pairs.source(1)) == "zwei Hunde");
  CHECK(text_of(pairs.source(2)) == "schläft");
  CHECK(text_of(pairs.target(0)) == "a man");
  CHECK(text_of(pairs.target(2)) == "sleeps");
  CHECK(std::vector<int32_t>(pairs.target(2).begin(), pairs.target(2).end()) ==
        vocabulary().target.encode("sleeps"));
  CHECK(log.text().ends_with(
      "info: " + corpus.names() +
      ": read 3 pairs, kept 3, dropped 0 empty and 0 longer than 256 pieces\n"));
}

TEST_CASE("each side has its own vocabulary") {
  const Tokenizer unigram = small_tokenizer(small_vocabulary(VocabularyType::kUnigram));
  const Corpus corpus("the street,\n", "the street,\n");
  CapturedLog log;
  const ParallelCorpus pairs = load(corpus, 0, {vocabulary().source, unigram});
  CHECK(vocabulary().source.decode(pairs.source(0)) == "the street,");
  CHECK(unigram.decode(pairs.target(0)) == "the street,");
}

TEST_CASE("empty and too long pairs are dropped, counted, and said") {
  const std::string many = "a a a a a a a a a a a a a a a a a a a a";
  const Corpus corpus("ein\n\nzwei\n \n" + many + "\na\n",
                      "a\na\n\xE2\x80\x8B\n\na\n" + many + "\n");
  CapturedLog log;
  const ParallelCorpus pairs = load(corpus, 10);
  CHECK(pairs.size() == 1);
  CHECK(pairs.counts().read == 6);
  CHECK(pairs.counts().kept == 1);
  CHECK(pairs.counts().dropped_empty == 3);
  CHECK(pairs.counts().dropped_too_long == 2);
  CHECK(log.text().ends_with(
      "info: " + corpus.names() +
      ": read 6 pairs, kept 1, dropped 3 empty and 2 longer than 10 pieces\n" +
      "warning: " + corpus.names() +
      ": 83.3 % of the pairs were dropped; data.max_length sets how long a pair may be\n"));
}

TEST_CASE("a pair of exactly max_length pieces is kept, 0 keeps every length") {
  const std::string line = "a a a a a";
  const auto length = static_cast<int64_t>(vocabulary().source.encode(line).size());
  const Corpus corpus(line + "\na\n", line + "\na\n");
  CapturedLog log;
  CHECK(load(corpus, length).size() == 2);
  CHECK(load(corpus, length - 1).size() == 1);
  CHECK(load(corpus, 0).size() == 2);
}

TEST_CASE("up to a tenth of the pairs is dropped without a warning") {
  std::string source = "\n", target = "a\n";
  for (int i = 0; i < 9; ++i) source += "a\n", target += "a\n";
  CapturedLog log;
  load(Corpus(source, target), 256);
  CHECK(log.text().find("warning") == std::string::npos);
}

TEST_CASE("files of different length are refused with both counts") {
  const Corpus corpus("a\na\na\n", "a\na");
  const std::string text = error_of<UserError>([&] { load(corpus, 256); });
  CHECK(text.find(corpus.files.source.string() + " has 3 lines, " + corpus.files.target.string() +
                  " has 2") == 0);
  const Corpus other("a\n", "a\n\n");
  CHECK_THROWS_AS(load(other, 256), UserError);
}

TEST_CASE("nothing to train on is refused") {
  const auto refusal = [](const CorpusFiles& files) {
    return error_of<UserError>([&] {
      const TemporaryFolder cache;
      load_corpus(files, survey_corpus(files), vocabulary(),
                  {.cache = cache.path(), .max_length = 3});
    });
  };
  const Corpus empty("", ""), unusable("\na a a a\na\n", "a\na\n\n");
  CHECK(refusal(empty.files) == empty.names() + " have no line, must have at least one");
  CHECK(refusal(unusable.files) ==
        unusable.names() +
            ": none of the 3 pairs can be used, 2 are empty and 1 longer than 3 pieces");
  CHECK(refusal({empty.folder.path() / "missing", empty.files.target}).find("missing") !=
        std::string::npos);
  CHECK(refusal({empty.files.source, empty.folder.path()}).find("folder") != std::string::npos);
}

TEST_CASE("odd bytes are said with file, count and first line") {
  const Corpus corpus(
      "a\nm\xFCn\na\xC2\x85"
      "a\n",
      "a\na\na\n");
  CapturedLog log;
  const ParallelCorpus pairs = load(corpus, 0);
  CHECK(pairs.size() == 3);
  CHECK(text_of(pairs.source(2)) == "a a");
  const std::string name = corpus.files.source.string();
  CHECK(log.text().find("warning: " + name + ": invalid UTF-8 in 1 of 3 lines, first in line 2") !=
        std::string::npos);
  CHECK(log.text().find("warning: " + name +
                        ": control characters in 1 of 3 lines, first in line 3") !=
        std::string::npos);
  CHECK(log.text().find("warning: " + corpus.files.target.string()) == std::string::npos);
}

TEST_CASE("Windows line ends and a byte order mark change nothing") {
  const Corpus plain("ein Mann\nzwei\n", "a man\na\n"), windows(
                                                            "\xEF\xBB\xBF"
                                                            "ein Mann\r\nzwei\r\n",
                                                            "a man\r\na\r\n");
  CapturedLog log;
  const ParallelCorpus a = load(plain, 0);
  const ParallelCorpus b = load(windows, 0);
  REQUIRE(a.size() == b.size());
  for (int64_t i = 0; i < a.size(); ++i) {
    CHECK(std::ranges::equal(a.source(i), b.source(i)));
    CHECK(std::ranges::equal(a.target(i), b.target(i)));
  }
  CHECK(log.text().find("warning") == std::string::npos);
}

namespace {

/// Enough lines for several blocks, each telling its place.
std::string numbered(const std::string& word, int64_t lines) {
  std::string text;
  for (int64_t i = 0; i < lines; ++i) text += word + " " + std::to_string(i) + "\n";
  return text;
}

std::filesystem::path cache_file(const Corpus& corpus) {
  std::filesystem::path found;
  for (const auto& entry : std::filesystem::directory_iterator(corpus.folder.path())) {
    if (entry.path().filename().string().starts_with("pairs-")) found = entry.path();
  }
  REQUIRE_FALSE(found.empty());
  return found;
}

bool encoded_anew(const Corpus& corpus) {
  CapturedLog log;
  const auto pairs = load(corpus, 0);
  for (const int64_t i : {int64_t{0}, pairs.size() - 1}) {
    const std::string number = std::to_string(i);
    CHECK(text_of(pairs.source(i)) == "Mann " + number);
    CHECK(text_of(pairs.target(i)) == "man " + number);
  }
  return log.text().find(": encoded ") != std::string::npos;
}

}  // namespace

TEST_CASE("any number of threads gives the same file") {
  const Corpus corpus(numbered("Mann", 9000), numbered("man", 9000));
  CapturedLog log;
  load(corpus, 0, vocabulary(), 1);
  const auto path = cache_file(corpus);
  const std::string one = read_file(path);
  std::filesystem::remove(path);
  load(corpus, 0, vocabulary(), 4);
  CHECK(read_file(path) == one);
}

TEST_CASE("a text is encoded once, and again when it changed or what is kept is damaged") {
  Corpus corpus(numbered("Mann", 5000), numbered("man", 5000));
  CHECK(encoded_anew(corpus));
  CHECK_FALSE(encoded_anew(corpus));

  const auto path = cache_file(corpus);
  const std::string whole = read_file(path);
  const auto size = whole.size();
  for (const size_t damaged :
       {size_t{0}, size / 3, 2 * size / 3, size - 100, size - 40, size - 1}) {
    std::string bytes = whole;
    bytes[damaged] = static_cast<char>(bytes[damaged] + 1);
    corpus.folder.file(path.filename().string(), bytes);
    INFO("byte " << damaged << " of " << size);
    CHECK(encoded_anew(corpus));
    CHECK(read_file(path) == whole);
  }
  for (const size_t cut : {size_t{0}, size_t{1}, size / 2, size - 1}) {
    corpus.folder.file(path.filename().string(), whole.substr(0, cut));
    CHECK(encoded_anew(corpus));
  }

  corpus.folder.file("train.de", numbered("Mann", 4999));
  corpus.folder.file("train.en", numbered("man", 4999));
  CHECK(encoded_anew(corpus));
}

TEST_CASE("a text that changes between its survey and its encoding is refused, nothing is kept") {
  const std::string more = GENERATE("a\na\n", "b\n", "");
  const Corpus corpus("a\na\na\n", "a\na\na\n");
  const auto survey = survey_corpus(corpus.files);
  corpus.folder.file("train.en", "a\na\n" + more);
  const auto encode = [&] {
    load_corpus(corpus.files, survey, vocabulary(),
                {.cache = corpus.folder.path(), .max_length = 0, .threads = 2});
  };
  CHECK(error_of<UserError>(encode) ==
        corpus.files.target.string() + " changed while it was read, must stay as it is");
  CHECK(std::ranges::distance(std::filesystem::directory_iterator(corpus.folder.path())) == 2);
}

TEST_CASE("what is kept depends on vocabulary and longest length") {
  const Corpus corpus("a a a a a\na\n", "a\na\n");
  const Tokenizer unigram = small_tokenizer(small_vocabulary(VocabularyType::kUnigram));
  CapturedLog log;
  CHECK(load(corpus, 0).size() == 2);
  CHECK(load(corpus, 2).size() == 1);
  CHECK(load(corpus, 0).size() == 2);
  const auto pairs = load(corpus, 0, {unigram, unigram});
  CHECK(unigram.decode(pairs.source(0)) == "a a a a a");
}

TEST_CASE("what was odd is said again when the text comes from the cache") {
  const Corpus corpus("m\xFCn\na\n", "a\na\n");
  for (int time = 0; time < 2; ++time) {
    CapturedLog log;
    load(corpus, 0);
    CHECK(log.text().find("invalid UTF-8 in 1 of 2 lines, first in line 1") != std::string::npos);
    CHECK(log.text().find("read 2 pairs, kept 2") != std::string::npos);
  }
}

TEST_CASE("several texts are one corpus") {
  const Corpus first("a man\n", "ein Mann\n"), second("two dogs\na\n", "zwei Hunde\nein\n");
  CapturedLog log;
  ParallelCorpus all;
  all.append(load(first, 0), 1);
  all.append(load(second, 0), 3);
  REQUIRE(all.size() == 3);
  CHECK(text_of(all.source(0)) == "a man");
  CHECK(text_of(all.source(1)) == "two dogs");
  CHECK(text_of(all.target(2)) == "ein");
  CHECK(all.counts().read == 3);
  CHECK(epoch_pairs(all.texts(), 1, 0).size() == 7);
  all.release();
  CHECK(text_of(all.target(1)) == "zwei Hunde");
  CHECK(pair_lengths(all)[1].source == std::ssize(all.source(1)) + 1);
}

TEST_CASE("a survey counts lines, and its hash changes with any byte") {
  const TemporaryFolder folder;
  const auto hash = [&](const std::string& text) {
    return survey_text(folder.file("a", text)).hash;
  };
  CHECK(hash("one\ntwo\n").size() == 32);
  CHECK(hash("one\ntwo\n") == hash("one\ntwo\n"));
  CHECK(hash("one\ntwo\n") != hash("one\ntwo!"));
  CHECK(survey_text(folder.file("b", "one\n\ntwo")).lines == 3);
  CHECK(combined_hash({"a", "b"}) != combined_hash({"b", "a"}));
  CHECK(combined_hash({"ab"}) != combined_hash({"a", "b"}));
  CHECK(error_of<UserError>([&] { survey_text(folder.path() / "missing"); }).find("missing") !=
        std::string::npos);
  CHECK(error_of<UserError>([&] { survey_text("/dev/null"); }).find("/dev/null is a pipe") == 0);
}
