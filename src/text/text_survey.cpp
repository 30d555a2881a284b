#include "text/text_survey.h"

#include <fmt/core.h>

#include <future>

#include "runtime/error.h"
#include "runtime/stop_signal.h"
#include "text/content_hash.h"
#include "text/line_reader.h"

namespace xformer {

TextSurvey survey_text(const std::filesystem::path& path) {
  LineReader reader(path);
  if (!std::filesystem::is_regular_file(path)) {
    throw UserError(path.string() +
                    " is a pipe or a device, must be a file: it is read more than once");
  }
  ContentHash hash;
  reader.watch_bytes([&](std::string_view bytes) {
    leave_if_stopped();
    hash.update(bytes);
  });
  while (reader.skip()) {
  }
  leave_if_stopped();
  return {.lines = reader.count(), .hash = hash.hex()};
}

CorpusSurvey survey_corpus(const CorpusFiles& files) {
  auto other = std::async(std::launch::async, [&] { return survey_text(files.target); });
  const TextSurvey source = survey_text(files.source), target = other.get();
  if (source.lines != target.lines) {
    throw UserError(
        fmt::format("{} has {} lines, {} has {}: must be as many, line i of one translating line i "
                    "of the other",
                    files.source.string(), source.lines, files.target.string(), target.lines));
  }
  if (source.lines == 0) throw UserError(files.names() + " have no line, must have at least one");
  return {.lines = source.lines, .source_hash = source.hash, .target_hash = target.hash};
}

std::string combined_hash(const std::vector<std::string>& hashes) {
  ContentHash all;
  for (const auto& hash : hashes) all.update(hash + '\n');
  return all.hex();
}

}  // namespace xformer
