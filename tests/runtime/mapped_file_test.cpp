#include "runtime/mapped_file.h"

#include <cstring>
#include <string>
#include <utility>

#include "catch.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "temporary_folder.h"

using namespace xformer;

namespace {

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

TEST_CASE("a mapped file shows every byte") {
  TemporaryFolder folder;
  const std::string content = std::string("a\0b", 3) + std::string(100'000, 'x');
  CHECK(text_of(MappedFile(folder.file("file", content))) == content);
}

TEST_CASE("an empty file maps to nothing") {
  TemporaryFolder folder;
  CHECK(MappedFile(folder.file("file", "")).bytes().empty());
}

TEST_CASE("a mapping outlives moves and the replacement of its file") {
  TemporaryFolder folder;
  MappedFile first(folder.file("file", "old"));
  MappedFile moved = std::move(first);
  write_file_atomically(folder.path() / "file", "a new text");
  CHECK(text_of(moved) == "old");
  CHECK(first.bytes().empty());
  moved = MappedFile(folder.path() / "file");
  CHECK(text_of(moved) == "a new text");
}

TEST_CASE("a file that cannot be mapped is refused by name") {
  TemporaryFolder folder;
  CHECK_THROWS_AS(MappedFile(folder.path() / "none"), UserError);
  CHECK_THROWS_WITH(
      MappedFile(folder.path() / "none"),
      (folder.path() / "none").string() + ": cannot be read: No such file or directory");
  CHECK_THROWS_WITH(MappedFile(folder.path()),
                    folder.path().string() + ": cannot be read: it is a folder");
}
