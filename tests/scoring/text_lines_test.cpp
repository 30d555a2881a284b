#include "scoring/text_lines.h"

#include "catch.h"
#include "runtime/error.h"
#include "temporary_folder.h"

using namespace xformer;

namespace {

std::vector<std::string> read_text(const std::string& bytes) {
  const TemporaryFolder folder;
  TextLines text = TextLines::read(folder.file("text", bytes));
  const TextLines moved = std::move(text);
  std::vector<std::string> lines;
  for (size_t i = 0; i < moved.size(); ++i) lines.emplace_back(moved[i]);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("only LF ends a line, and white space at its end is no part of it") {
  CHECK(read_text("") == Lines{});
  CHECK(read_text("\n") == Lines{""});
  CHECK(read_text("a\nb") == Lines{"a", "b"});
  CHECK(read_text("a \r\n b\u2028\n") == Lines{"a", " b"});
  CHECK(read_text("a\rb\u2028c\x0b"
                  "d\x85\n")[0]
            .substr(0, 8) == "a\rb\u2028c\x0b");
}

TEST_CASE("other odd characters stay, invalid bytes become U+FFFD") {
  using namespace std::string_literals;
  CHECK(read_text("\uFEFFa\0b\x01\n"s) == Lines{"\uFEFFa\0b\x01"s});
  CHECK(read_text("caf\xe9\nok\n\xed\xa0\x80\n\xf0\x9f\x98\n") ==
        Lines{"caf\uFFFD", "ok", "\uFFFD\uFFFD\uFFFD", "\uFFFD"});
}

TEST_CASE("UTF-16 and what cannot be read are refused by name") {
  CHECK_THROWS_AS(read_text("\xff\xfe"
                            "a"),
                  UserError);
  CHECK_THROWS_WITH(TextLines::read("/no/such/text"), Catch::Contains("/no/such/text"));
  CHECK_THROWS_AS(TextLines::read("/"), UserError);
}
