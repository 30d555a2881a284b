#include "text/content_hash.h"

#include <string>

#include "catch.h"
#include "runtime/error.h"
#include "temporary_folder.h"
#include "text/expect_error.h"
#include "text/parallel_corpus.h"

using namespace xformer;

// The values that xxhsum -H2 prints.
TEST_CASE("the hash is XXH3 of 128 bits, whatever the portions") {
  CHECK(ContentHash().hex() == "99aa06d3014798d86001c324468d497f");
  ContentHash hash;
  hash.update("a");
  CHECK(hash.hex() == "a96faf705af16834e6c632b61e964e1f");

  const std::string text(100000, 'x');
  ContentHash whole, parts;
  whole.update(text);
  for (size_t at = 0; at < text.size(); at += 777)
    parts.update(std::string_view(text).substr(at, 777));
  CHECK(whole.hex() == parts.hex());
}

TEST_CASE("the hash of files changes with any byte, with their order and with where one ends") {
  TemporaryFolder folder;
  const auto a = folder.file("a", "one\ntwo\n"), b = folder.file("b", "three\n");
  const std::string before = content_hash({a, b});
  CHECK(before.size() == 32);
  CHECK(content_hash({a, b}) == before);
  CHECK(content_hash({folder.file("copy", "one\ntwo\n"), b}) == before);
  CHECK(content_hash({b, a}) != before);
  CHECK(content_hash({folder.file("c", "one\n"), folder.file("d", "two\nthree\n")}) != before);
  CHECK(content_hash({folder.file("e", "one\ntwo!"), b}) != before);
  CHECK(content_hash({folder.file("f", ""), b}) != before);
  CHECK(error_of<UserError>([&] { content_hash({folder.path() / "missing"}); }).find("missing") !=
        std::string::npos);
}
