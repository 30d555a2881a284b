#include "runtime/atomic_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "catch.h"
#include "runtime/child_process.h"
#include "runtime/error.h"
#include "temporary_folder.h"

using namespace xformer;
namespace fs = std::filesystem;

namespace {

size_t files_in(const TemporaryFolder& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

/// Leaves the temporary file of a writer that was killed before commit().
void kill_a_writer_of(const fs::path& path) {
  const int status = status_of_child([&] {
    AtomicFile file(path);
    file.write("half");
    kill(getpid(), SIGKILL);
    return 0;
  });
  REQUIRE(status == 128 + SIGKILL);
}

}  // namespace

TEST_CASE("a file appears with commit and not before") {
  TemporaryFolder folder;
  const fs::path path = folder.file("model", "old");
  {
    AtomicFile file(path);
    file.write("new");
    CHECK(read_file(path) == "old");
    file.write(" text");
    file.commit();
    CHECK(read_file(path) == "new text");
  }
  CHECK(read_file(path) == "new text");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a file that is not committed leaves nothing behind") {
  TemporaryFolder folder;
  const fs::path path = folder.file("model", "old");
  {
    AtomicFile file(path);
    file.write("new");
    CHECK(files_in(folder) == 2);
  }
  CHECK(read_file(path) == "old");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a new file has the permissions that the user asks for") {
  TemporaryFolder folder;
  const mode_t before = umask(027);
  write_file_atomically(folder.path() / "model", "text");
  umask(before);
  CHECK(fs::status(folder.path() / "model").permissions() == fs::perms(0640));
}

TEST_CASE("two writers of one file do not disturb each other") {
  TemporaryFolder folder;
  AtomicFile first(folder.path() / "model"), second(folder.path() / "model");
  first.write("first");
  second.write("second");
  first.commit();
  CHECK(read_file(folder.path() / "model") == "first");
  second.commit();
  CHECK(read_file(folder.path() / "model") == "second");
}

TEST_CASE("a kill before commit leaves the old file, and its remains can be cleaned up") {
  TemporaryFolder folder;
  const fs::path path = folder.file("model", "old");
  kill_a_writer_of(path);
  CHECK(read_file(path) == "old");
  CHECK(files_in(folder) == 2);
  remove_stale_temporaries(folder.path());
  CHECK(files_in(folder) == 1);
  CHECK(read_file(path) == "old");
}

TEST_CASE("cleaning up spares living writers and files of others") {
  TemporaryFolder folder;
  AtomicFile living(folder.path() / "model");
  living.write("new");
  const char* names[] = {"notes.tmp", "a.xformer-tmp-", "a.xformer-tmp-x", ".xformer-tmp-1-0",
                         "a.xformer-tmp-1-0.txt"};
  for (const char* name : names) folder.file(name, "text");
  kill_a_writer_of(folder.path() / "other");
  CHECK(files_in(folder) == std::size(names) + 2);

  remove_stale_temporaries(folder.path());
  CHECK(files_in(folder) == std::size(names) + 1);
  for (const char* name : names) CHECK(fs::exists(folder.path() / name));
  living.commit();
  CHECK(read_file(folder.path() / "model") == "new");
  remove_stale_temporaries(folder.path() / "missing");  // nothing to do is no error
}

TEST_CASE("a file that grows too large fails with its name and keeps the old one") {
  TemporaryFolder folder;
  const fs::path path = folder.file("model", "old");
  const int status = status_of_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_file_atomically(path, std::string(5000, 'x'));
    } catch (const RunError& error) {
      return error.what() == path.string() + ": cannot be written: File too large" ? 0 : 1;
    }
    return 2;
  });
  CHECK(status == 0);
  CHECK(read_file(path) == "old");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a full device fails with its name and stays a device") {
  const std::string expected = "/dev/full: cannot be written: No space left on device";
  CHECK_THROWS_WITH(write_file_atomically("/dev/full", "text"), expected);
  CHECK(fs::is_character_file("/dev/full"));

  TemporaryFolder folder;
  fs::create_symlink("/dev/full", folder.path() / "link");
  CHECK_THROWS_WITH(write_file_atomically(folder.path() / "link", "text"), expected);
  write_file_atomically("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a link is followed, not replaced") {
  TemporaryFolder folder;
  fs::create_directory(folder.path() / "elsewhere");
  folder.file("elsewhere/model", "old");
  fs::create_symlink("elsewhere/model", folder.path() / "link");
  write_file_atomically(folder.path() / "link", "new");
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(read_file(folder.path() / "elsewhere/model") == "new");
}

TEST_CASE("a file that cannot be created is a failure with its name") {
  TemporaryFolder folder;
  CHECK_THROWS_WITH(
      write_file_atomically(folder.path() / "none/model", "x"),
      (folder.path() / "none/model").string() + ": cannot be written: No such file or directory");
  CHECK_THROWS_WITH(write_file_atomically(folder.path(), "x"),
                    folder.path().string() + ": cannot be written: Is a directory");
  folder.file("file", "text");
  CHECK_THROWS_AS(write_file_atomically(folder.path() / "file/model", "x"), RunError);
}

TEST_CASE("read_file gives every byte, of a pipe too") {
  TemporaryFolder folder;
  const std::string content = std::string("a\0b\r\n", 5) + std::string(200'000, 'x');
  CHECK(read_file(folder.file("file", content)) == content);
  CHECK(read_file(folder.file("empty", "")).empty());

  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "text", 4) == 4);
  close(ends[1]);
  CHECK(read_file("/dev/fd/" + std::to_string(ends[0])) == "text");
  close(ends[0]);
}

TEST_CASE("read_file refuses what it cannot read by name") {
  TemporaryFolder folder;
  CHECK_THROWS_AS(read_file(folder.path() / "none"), UserError);
  CHECK_THROWS_WITH(
      read_file(folder.path() / "none"),
      (folder.path() / "none").string() + ": cannot be read: No such file or directory");
  CHECK_THROWS_WITH(read_file(folder.path()),
                    folder.path().string() + ": cannot be read: it is a folder");
}
