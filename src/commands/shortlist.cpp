#include "commands/shortlist.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "commands/decoding.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "storage/model_folder.h"
#include "storage/shortlist_file.h"
#include "text/lexicon.h"
#include "text/line_reader.h"
#include "text/text_survey.h"

namespace xformer {
namespace {

/// More change little, and would need much memory.
constexpr int64_t kMostPairs = 200'000;
constexpr int kIterations = 4;
/// Longer pairs say little about which piece translates which.
constexpr size_t kLongest = 100;

std::vector<int32_t> most_frequent(const std::vector<int64_t>& counts, int64_t most) {
  std::vector<int32_t> ids(counts.size());
  std::iota(ids.begin(), ids.end(), 0);
  const auto count = std::min<int64_t>(most, std::ssize(ids));
  std::ranges::stable_sort(ids, std::greater<>(), [&](int32_t id) { return counts[id]; });
  ids.resize(static_cast<size_t>(count));
  return ids;
}

}  // namespace

int run_shortlist(const ShortlistOptions& options) {
  survey_corpus({.source = options.source, .target = options.target});  // as many lines each
  const std::filesystem::path folder = model_folder_or_default(options.model);
  const auto vocabulary = read_description(folder).vocabulary;
  LineReader sources{std::filesystem::path(options.source)};
  LineReader targets{std::filesystem::path(options.target)};
  Lexicon lexicon;
  std::vector<int64_t> counts(static_cast<size_t>(vocabulary.target.size()));
  int64_t pairs = 0;
  for (std::string source, target;
       pairs < kMostPairs && !stop_requested() && sources.next(source) && targets.next(target);) {
    auto source_ids = vocabulary.source.encode(source),
         target_ids = vocabulary.target.encode(target);
    if (source_ids.size() > kLongest || target_ids.size() > kLongest) continue;
    for (const int32_t id : target_ids) ++counts[id];
    lexicon.add(std::move(source_ids), std::move(target_ids));
    ++pairs;
  }
  if (stop_requested()) return 128 + stop_signal();
  lexicon.learn(kIterations);
  const Shortlist shortlist{.frequent = most_frequent(counts, options.frequent),
                            .translations = lexicon.best(vocabulary.source.size(), options.best)};
  const auto output = options.output.empty() ? folder / "shortlist.safetensors"
                                             : std::filesystem::path(options.output);
  write_shortlist(output, shortlist, vocabulary);
  spdlog::info("wrote {}, learned from {} pairs", output.string(), pairs);
  return 0;
}

}  // namespace xformer
