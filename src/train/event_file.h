// Curves for TensorBoard: its event file, written without TensorFlow.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xformer {

/// A file of records as tensorflow/core/lib/io/record_writer.h frames them, each an Event of
/// tensorflow/core/util/event.proto. One file for each start of a training: TensorBoard reads all
/// of a folder as one run, and drops what lies behind the update at which a later file starts.
class EventFile {
 public:
  EventFile() = default;
  /// Starts a file in `folder` for a training that stands at `update`; of one that starts at 0, the
  /// files of an earlier training go.
  void start(const std::filesystem::path& folder, int64_t update);
  /// Adds points to curves. Throws RunError.
  void add(int64_t update, const std::vector<std::pair<std::string, double>>& points);

 private:
  void write_event(int64_t update, const std::string& what);

  std::filesystem::path path_;
  std::ofstream file_;
};

/// CRC-32C (Castagnoli), as records carry it.
uint32_t crc32c(std::string_view bytes);

}  // namespace xformer
