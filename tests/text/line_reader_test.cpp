#include "text/line_reader.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "runtime/error.h"
#include "runtime/stop_signal.h"
#include "temporary_folder.h"
#include "text/captured_log.h"
#include "text/clean_line.h"
#include "text/expect_error.h"
#include "text/text_survey.h"

using namespace xformer;
using namespace std::string_literals;

namespace {

using Lines = std::vector<std::string>;

Lines all_lines(LineReader& reader) {
  Lines lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

Lines lines_of(const std::string& content) {
  TemporaryFolder folder;
  LineReader reader(folder.file("text", content));
  return all_lines(reader);
}

/// The only line of "raw\n".
std::string cleaned(const std::string& raw) {
  const Lines lines = lines_of(raw + "\n");
  REQUIRE(lines.size() == 1);
  return lines[0];
}

struct Pipe {
  std::array<int, 2> ends;
  Pipe() { REQUIRE(pipe(ends.data()) == 0); }
  ~Pipe() {
    close(ends[0]);
    finish();
  }
  void write(const std::string& text) const {
    REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void finish() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
};

const std::string kReplaced = "\xEF\xBF\xBD";

}  // namespace

TEST_CASE("only LF ends a line, and the last line needs none") {
  CHECK(lines_of("") == Lines{});
  CHECK(lines_of("\n") == Lines{""});
  CHECK(lines_of("a man") == Lines{"a man"});
  CHECK(lines_of("a man\n\n\ntwo dogs\n") == Lines{"a man", "", "", "two dogs"});
  CHECK(lines_of("one\v1\ntwo\f\nthree\xE2\x80\xA8 3\nfour\xE2\x80\xA9\nfive\xC2\x85 5") ==
        Lines{"one 1", "two ", "three  3", "four ", "five  5"});
}

TEST_CASE("Windows line ends read as LF, a lone CR as a space") {
  CHECK(lines_of("a\r\n\r\nb\r\n") == Lines{"a", "", "b"});
  CHECK(lines_of("a\r") == Lines{"a"});
  CHECK(lines_of("a\rb\n\rc\r\r\n") == Lines{"a b", " c "});
}

TEST_CASE("a byte order mark is dropped at the start and only there") {
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(lines_of(mark + "a\n" + mark + "b\n") == Lines{"a", mark + "b"});
  CHECK(lines_of(mark + "\n") == Lines{""});
  CHECK(lines_of(mark) == Lines{});
  CHECK(lines_of("\xEF\xBB") == Lines{kReplaced});
}

TEST_CASE("control characters become spaces, tabs stay") {
  CHECK(cleaned("a\0b"s) == "a b");
  CHECK(cleaned("a\tb") == "a\tb");
  for (int byte = 0; byte < 0x20; ++byte) {
    if (byte == '\t' || byte == '\n') continue;
    CHECK(cleaned("a"s + static_cast<char>(byte) + "b") == "a b");
  }
  CHECK(cleaned("\x7F\xC2\x80\xC2\x9F") == "   ");
  CHECK(cleaned("\xC2\xA0") == "\xC2\xA0");
}

TEST_CASE("a byte is treated alike wherever it stands in the line") {
  std::string line;
  for (int byte = 0; byte < 0x100; ++byte) {
    for (size_t at = 0; at < 20; ++at) {
      std::string raw = "The 20 bytes of text";
      raw[at] = static_cast<char>(byte);
      const bool plain = byte == '\t' || (byte >= 0x20 && byte < 0x7F);
      const std::string becomes = byte > 0x7F ? kReplaced : plain ? raw.substr(at, 1) : " ";
      const LineFaults faults = clean_line(raw, line);
      CHECK(line == raw.substr(0, at) + becomes + raw.substr(at + 1));
      CHECK(faults.invalid_utf8 == (byte > 0x7F));
      CHECK(faults.control_character == (byte <= 0x7F && !plain));
    }
  }
}

TEST_CASE("valid UTF-8 passes unchanged") {
  for (const std::string text :
       {"Grüße", "ﬁ", "日本語", "😀", "क्‍ष", "\xEF\xBF\xBD", "\xF4\x8F\xBF\xBF"}) {
    CHECK(cleaned(text) == text);
  }
}

// Unicode 15, table 3-8 and the text before it: one U+FFFD for each maximal subpart of an
// ill-formed sequence.
TEST_CASE("invalid bytes become one U+FFFD for each maximal subpart") {
  const std::string r = kReplaced;
  CHECK(cleaned("caf\xE9") == "caf" + r);
  CHECK(cleaned("\xF0\x9F\x98") == r);
  CHECK(cleaned("\xF0\x9F\x98z") == r + "z");
  CHECK(cleaned("\xED\xA0\x80") == r + r + r);
  CHECK(cleaned("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41") == r + r + r + r + r + r + r + r + "A");
  CHECK(cleaned("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42") == r + r + r + r + r + "A" + r + r + "B");
  CHECK(cleaned("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41") == r + r + r + r + "A");
}

TEST_CASE("odd lines are counted, with the first of each kind") {
  TemporaryFolder folder;
  const auto path = folder.file("odd.de",
                                "plain\nm\xFCll\n\0\nGr\xC3\xBC\xC3\x9F"
                                "e\r\n\xFF\x01\nx\ry\n"s);
  LineReader reader(path);
  CHECK(all_lines(reader).size() == 6);
  CHECK(reader.count() == 6);
  CHECK(reader.oddities().invalid_utf8_lines == 2);
  CHECK(reader.oddities().first_invalid_utf8_line == 2);
  CHECK(reader.oddities().control_character_lines == 3);
  CHECK(reader.oddities().first_control_character_line == 3);

  CapturedLog log;
  reader.warn_of_oddities();
  CHECK(log.text() ==
        "warning: " + path.string() +
            ": invalid UTF-8 in 2 of 6 lines, first in line 2: replaced by U+FFFD\n" +
            "warning: " + path.string() +
            ": control characters in 3 of 6 lines, first in line 3: replaced by spaces\n");
}

TEST_CASE("plain text gives no warning") {
  TemporaryFolder folder;
  LineReader reader(folder.file("plain", "Grüße\r\n\tx\r\n"));
  all_lines(reader);
  CapturedLog log;
  reader.warn_of_oddities();
  CHECK(log.text().empty());
}

TEST_CASE("what is no text file is refused by name") {
  TemporaryFolder folder;
  const auto refusal = [](const std::filesystem::path& path) {
    const std::string text = error_of<UserError>([&] { LineReader reader(path); });
    CHECK(text.find(path.string()) == 0);
    return text;
  };
  refusal(folder.path() / "missing");
  CHECK(refusal(folder.path()).find("folder") != std::string::npos);
  CHECK(refusal(folder.file("le",
                            "\xFF\xFE"
                            "a\0\n\0"s))
            .find("UTF-16") != std::string::npos);
  CHECK(refusal(folder.file("be", "\xFE\xFF\0a\0\n"s)).find("UTF-16") != std::string::npos);
  CHECK(lines_of("\xFF") == Lines{kReplaced});
  CHECK(lines_of("a\xFF\xFE\n") == Lines{"a" + kReplaced + kReplaced});
}

TEST_CASE("a descriptor that is a folder, closed, or gives UTF-16 is refused by its name") {
  TemporaryFolder folder;
  const int descriptor = open(folder.path().c_str(), O_RDONLY);
  CHECK(error_of<UserError>([&] {
          LineReader(descriptor, "standard input");
        }).find("standard input") == 0);
  close(descriptor);
  CHECK(error_of<UserError>([&] {
          LineReader(descriptor, "standard input");
        }).find("standard input") == 0);

  Pipe pipe;
  pipe.write("\xFF\xFE");
  LineReader reader(pipe.ends[0], "standard input");
  CHECK_FALSE(reader.ready());
  pipe.write("a\0\n\0"s);
  std::string line;
  CHECK(error_of<UserError>([&] { reader.next(line); }).find("standard input is UTF-16") == 0);
}

TEST_CASE("lines of any length come through chunks of any size") {
  Lines expected;
  std::string content;
  for (const size_t size : {0, 1, 100000, 262143, 262144, 262145, 1000000, 3, 0}) {
    expected.push_back(std::string(size, static_cast<char>('a' + size % 26)));
    content += expected.back() + "\n";
  }
  CHECK(lines_of(content) == expected);

  Pipe pipe;
  std::thread writer([&] {
    for (size_t at = 0; at < content.size(); at += 4099) pipe.write(content.substr(at, 4099));
    pipe.finish();
  });
  LineReader reader(pipe.ends[0], "pipe");
  const Lines lines = all_lines(reader);
  writer.join();
  CHECK(lines == expected);
}

TEST_CASE("skipping passes over lines and counts them") {
  TemporaryFolder folder;
  const auto path = folder.file("text",
                                "\xEF\xBB\xBF"
                                "a\n\xFF\nc");
  LineReader reader(path);
  std::string line;
  CHECK(reader.skip());
  CHECK(reader.skip());
  CHECK(reader.next(line));
  CHECK(line == "c");
  CHECK_FALSE(reader.skip());
  CHECK(reader.count() == 3);
  CHECK(reader.oddities().invalid_utf8_lines == 0);
  CHECK(survey_text(path).lines == 3);
  CHECK(survey_text(folder.file("empty", "")).lines == 0);
  CHECK(survey_text(folder.file("mark", "\xEF\xBB\xBF")).lines == 0);
}

TEST_CASE("ready tells whether next would wait, and never waits itself") {
  Pipe pipe;
  LineReader reader(pipe.ends[0], "pipe");
  std::string line;
  CHECK_FALSE(reader.ready());
  pipe.write("half");
  CHECK_FALSE(reader.ready());
  pipe.write(" a line\nsecond\nthi");
  CHECK(reader.ready());
  CHECK(reader.next(line));
  CHECK(line == "half a line");
  CHECK(reader.ready());
  CHECK(reader.next(line));
  CHECK_FALSE(reader.ready());
  pipe.finish();
  CHECK(reader.ready());
  CHECK(reader.next(line));
  CHECK(line == "thi");
  CHECK(reader.ready());
  CHECK_FALSE(reader.next(line));
  CHECK_FALSE(reader.next(line));
  CHECK(reader.count() == 3);
}

TEST_CASE("a line is handed out before the next one is written") {
  Pipe there, back;
  std::thread echo([&] {
    LineReader reader(there.ends[0], "there");
    for (std::string line; reader.next(line);) back.write(line + "!\n");
    back.finish();
  });
  LineReader answers(back.ends[0], "back");
  std::string line;
  for (const std::string word : {"a", "b", "c"}) {
    there.write(word + "\n");
    CHECK(answers.next(line));
    CHECK(line == word + "!");
  }
  there.finish();
  CHECK_FALSE(answers.next(line));
  echo.join();
}

TEST_CASE("a descriptor that does not block is waited for") {
  Pipe pipe;
  fcntl(pipe.ends[0], F_SETFL, O_NONBLOCK);
  LineReader reader(pipe.ends[0], "pipe");
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    pipe.write("late\n");
  });
  std::string line;
  CHECK(reader.next(line));
  CHECK(line == "late");
  writer.join();
}

TEST_CASE("a stop signal ends the wait for input, another signal does not") {
  Pipe pipe;
  const pid_t child = fork();
  if (child == 0) {
    watch_stop_signals();
    struct sigaction nothing = {};
    nothing.sa_handler = [](int) {};
    sigaction(SIGUSR1, &nothing, nullptr);
    LineReader reader(pipe.ends[0], "pipe");
    std::string line;
    const bool first = reader.next(line) && line == "after SIGUSR1";
    const bool second = reader.next(line);
    _exit(first && !second && stop_signal() == SIGTERM ? 0 : 1);
  }
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  pause();
  kill(child, SIGUSR1);
  pause();
  pipe.write("after SIGUSR1\n");
  pause();
  kill(child, SIGTERM);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("what the system cannot read is a failure of the machine") {
  const int descriptor = open("/dev/null", O_WRONLY);
  LineReader reader(descriptor, "standard input");
  std::string line;
  const std::string text = error_of<RunError>([&] { reader.next(line); });
  CHECK(text.find("standard input: ") == 0);
  close(descriptor);
}
