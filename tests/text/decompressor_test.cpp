#include "text/decompressor.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "catch.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "temporary_folder.h"
#include "text/expect_error.h"
#include "text/line_reader.h"
#include "text/text_survey.h"

using namespace xformer;

namespace {

std::string long_text() {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "line " + std::to_string(i * 7919 % 100'003) + "\n";
  return text;
}

std::vector<std::string> lines_in(const std::filesystem::path& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

/// The tools' own packing; empty where the tool is not installed.
std::filesystem::path packed(const std::string& tool, const std::filesystem::path& file) {
  const std::string target = file.string() + "." + tool;
  const std::string command = tool + " -c < " + file.string() + " > " + target + " 2>/dev/null";
  return std::system(command.c_str()) == 0 ? target : "";
}

}  // namespace

TEST_CASE("packed text reads like plain text") {
  const std::string tool = GENERATE("gzip", "zstd");
  const TemporaryFolder folder;
  const auto plain = folder.file("plain", long_text());
  const auto file = packed(tool, plain);
  if (file.empty()) {
    WARN(tool + " is not installed: skipped");
    return;
  }
  CHECK(lines_in(file) == lines_in(plain));
  CHECK(survey_text(file).lines == 60'000);
  CHECK(survey_text(file).hash != survey_text(plain).hash);

  const std::string bytes = read_file(file);
  const auto twice = lines_in(folder.file("twice", bytes + bytes));
  CHECK(twice.size() == 120'000);
  CHECK(twice[60'001] == twice[1]);

  for (const size_t size : {size_t{6}, bytes.size() / 2, bytes.size() - 1}) {
    const auto cut = folder.file("cut", bytes.substr(0, size));
    CHECK(error_of<UserError>([&] { lines_in(cut); }).find("cut: the packed text ends too early") !=
          std::string::npos);
  }
  std::string damaged = bytes;
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i) damaged[i] ^= 0x55;
  const auto path = folder.file("damaged", damaged);
  CHECK(error_of<UserError>([&] { lines_in(path); }).find(tool + " data is damaged") !=
        std::string::npos);
}

TEST_CASE("packed text that is empty has no line") {
  const TemporaryFolder folder;
  const auto file = packed("gzip", folder.file("empty", ""));
  REQUIRE_FALSE(file.empty());
  CHECK(lines_in(file).empty());
}
