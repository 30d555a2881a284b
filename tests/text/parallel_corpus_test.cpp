#include "text/parallel_corpus.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
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

std::string text_of(std::span<const int32_t> ids) {
  return vocabulary().source.decode(ids);
}

}  // namespace

TEST_CASE("pairs are read in order and can be read back") {
  const Corpus corpus("ein Mann\nzwei Hunde\r\nschläft", "a man\ntwo dogs\nsleeps\n");
  CapturedLog log;
  const ParallelCorpus pairs = read_parallel_corpus(corpus.files, vocabulary(), 256);
  REQUIRE(pairs.size() == 3);
  CHECK(text_of(pairs.source(0)) == "ein Mann");
  CHECK(text_of(pairs.source(1)) == "zwei Hunde");
  CHECK(text_of(pairs.source(2)) == "schläft");
  CHECK(text_of(pairs.target(0)) == "a man");
  CHECK(text_of(pairs.target(2)) == "sleeps");
  CHECK(std::vector<int32_t>(pairs.target(2).begin(), pairs.target(2).end()) ==
        vocabulary().target.encode("sleeps"));
  CHECK(log.text() == "info: " + corpus.names() +
                          ": read 3 pairs, kept 3, dropped 0 empty and 0 longer than 256 pieces\n");
}

TEST_CASE("each side has its own vocabulary") {
  const Tokenizer unigram = small_tokenizer(small_vocabulary(VocabularyType::kUnigram));
  const Corpus corpus("the street,\n", "the street,\n");
  CapturedLog log;
  const ParallelCorpus pairs =
      read_parallel_corpus(corpus.files, {vocabulary().source, unigram}, 0);
  CHECK(vocabulary().source.decode(pairs.source(0)) == "the street,");
  CHECK(unigram.decode(pairs.target(0)) == "the street,");
}

TEST_CASE("empty and too long pairs are dropped, counted, and said") {
  const std::string many = "a a a a a a a a a a a a a a a a a a a a";
  const Corpus corpus("ein\n\nzwei\n \n" + many + "\na\n",
                      "a\na\n\xE2\x80\x8B\n\na\n" + many + "\n");
  CapturedLog log;
  const ParallelCorpus pairs = read_parallel_corpus(corpus.files, vocabulary(), 10);
  CHECK(pairs.size() == 1);
  CHECK(pairs.counts.read == 6);
  CHECK(pairs.counts.kept == 1);
  CHECK(pairs.counts.dropped_empty == 3);
  CHECK(pairs.counts.dropped_too_long == 2);
  CHECK(log.text() ==
        "info: " + corpus.names() +
            ": read 6 pairs, kept 1, dropped 3 empty and 2 longer than 10 pieces\n" +
            "warning: " + corpus.names() +
            ": 83.3 % of the pairs were dropped; data.max_length sets how long a pair may be\n");
}

TEST_CASE("a pair of exactly max_length pieces is kept, 0 keeps every length") {
  const std::string line = "a a a a a";
  const auto length = static_cast<int64_t>(vocabulary().source.encode(line).size());
  const Corpus corpus(line + "\na\n", line + "\na\n");
  CapturedLog log;
  CHECK(read_parallel_corpus(corpus.files, vocabulary(), length).size() == 2);
  CHECK(read_parallel_corpus(corpus.files, vocabulary(), length - 1).size() == 1);
  CHECK(read_parallel_corpus(corpus.files, vocabulary(), 0).size() == 2);
}

TEST_CASE("up to a tenth of the pairs is dropped without a warning") {
  std::string source = "\n", target = "a\n";
  for (int i = 0; i < 9; ++i) source += "a\n", target += "a\n";
  CapturedLog log;
  read_parallel_corpus(Corpus(source, target).files, vocabulary(), 256);
  CHECK(log.text().find("warning") == std::string::npos);
}

TEST_CASE("files of different length are refused with both counts") {
  const Corpus corpus("a\na\na\n", "a\na");
  const std::string text =
      error_of<UserError>([&] { read_parallel_corpus(corpus.files, vocabulary(), 256); });
  CHECK(text.find(corpus.files.source.string() + " has 3 lines, " + corpus.files.target.string() +
                  " has 2") == 0);
  const Corpus other("a\n", "a\n\n");
  CHECK_THROWS_AS(read_parallel_corpus(other.files, vocabulary(), 256), UserError);
}

TEST_CASE("nothing to train on is refused") {
  const auto refusal = [](const CorpusFiles& files) {
    return error_of<UserError>([&] { read_parallel_corpus(files, vocabulary(), 3); });
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
  const ParallelCorpus pairs = read_parallel_corpus(corpus.files, vocabulary(), 0);
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
  const ParallelCorpus a = read_parallel_corpus(plain.files, vocabulary(), 0);
  const ParallelCorpus b = read_parallel_corpus(windows.files, vocabulary(), 0);
  REQUIRE(a.size() == b.size());
  for (int64_t i = 0; i < a.size(); ++i) {
    CHECK(std::ranges::equal(a.source(i), b.source(i)));
    CHECK(std::ranges::equal(a.target(i), b.target(i)));
  }
  CHECK(log.text().find("warning") == std::string::npos);
}
