#include "train/event_file.h"

#include "catch.h"
#include "runtime/atomic_file.h"
#include "temporary_folder.h"

namespace xformer {
namespace {

std::vector<std::filesystem::path> event_files(const TemporaryFolder& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().filename().string().starts_with("events.")) files.push_back(entry.path());
  }
  return files;
}

}  // namespace

// RFC 3720, appendix B.4.
TEST_CASE("CRC-32C gives the published values") {
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AAu);
  CHECK(crc32c(std::string(32, '\xFF')) == 0x62A8AB43u);
  CHECK(crc32c("123456789") == 0xE3069283u);
}

TEST_CASE("a training that starts anew takes its own old curves away, nothing else") {
  const TemporaryFolder folder;
  folder.file("events.out.tfevents.1.other", "foreign");
  folder.file("events.out.tfevents.1.2.xformer", "old");
  EventFile resumed, anew;
  resumed.start(folder.path(), 5);
  CHECK(event_files(folder).size() == 3);
  anew.start(folder.path(), 0);
  CHECK(event_files(folder).size() == 2);
  CHECK(read_file(folder.path() / "events.out.tfevents.1.other") == "foreign");
}

}  // namespace xformer
