#include "text/corpus_cache.h"

#include <fmt/core.h>

#include <chrono>

#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/progress.h"
#include "text/corpus_encoder.h"
#include "text/corpus_file.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// Share of dropped pairs from which on the log warns.
constexpr double kNotableDrop = 0.1;

/// Everything that the encoded pairs are a function of.
std::string key_of(const CorpusSurvey& survey, const Vocabulary& vocabulary, int64_t max_length) {
  return combined_hash({survey.source_hash, survey.target_hash, vocabulary.source.hash(),
                        vocabulary.target.hash(), std::to_string(max_length)});
}

void encode_to(const fs::path& path, const std::string& key, const CorpusFiles& files,
               const CorpusSurvey& survey, const Vocabulary& vocabulary,
               const EncodingOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  spdlog::info("{}: encoding on {} threads", files.names(), options.threads);
  CorpusFileWriter writer(path, key);
  ProgressLine line;
  int64_t pairs = 0;
  const auto notes = encode_pairs(files, survey, vocabulary, options.max_length, options.threads,
                                  [&](const auto& source, const auto& target) {
                                    writer.add(source, target);
                                    ++pairs;
                                    if (line.due()) {
                                      line.show(fmt::format("encoding: {} pairs", pairs));
                                    }
                                  });
  clear_progress_line();
  writer.finish(notes);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  spdlog::info("{}: encoded {} pairs in {}, {:.0f} lines/s, into {}", files.names(),
               notes.counts.read, to_text(time),
               2 * static_cast<double>(notes.counts.read) / time.count(), path.string());
}

void say_counts(const CorpusFiles& files, const CorpusCounts& counts, int64_t max_length) {
  const std::string too_long = max_length > 0 ? fmt::format(" and {} longer than {} pieces",
                                                            counts.dropped_too_long, max_length)
                                              : "";
  spdlog::info("{}: read {} pairs, kept {}, dropped {} empty{}", files.names(), counts.read,
               counts.kept, counts.dropped_empty, too_long);
  const int64_t dropped = counts.read - counts.kept;
  if (static_cast<double>(dropped) > kNotableDrop * static_cast<double>(counts.read)) {
    spdlog::warn(
        "{}: {:.1f} % of the pairs were dropped; data.max_length sets how long a pair may be",
        files.names(), 100.0 * static_cast<double>(dropped) / static_cast<double>(counts.read));
  }
}

void require_pairs(const CorpusFiles& files, const CorpusCounts& counts, int64_t max_length) {
  if (counts.kept == 0) {
    throw UserError(fmt::format(
        "{}: none of the {} pairs can be used, {} are empty and {} longer than {} pieces",
        files.names(), counts.read, counts.dropped_empty, counts.dropped_too_long, max_length));
  }
}

}  // namespace

void make_cache_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw UserError(folder.string() + ": the cache cannot be created: " + error.message() +
                    "; data.cache names its folder");
  }
  remove_stale_temporaries(folder);
}

ParallelCorpus load_corpus(const CorpusFiles& files, const CorpusSurvey& survey,
                           const Vocabulary& vocabulary, const EncodingOptions& options) {
  const std::string key = key_of(survey, vocabulary, options.max_length);
  const fs::path path = options.cache / ("pairs-" + key);
  auto file = open_corpus_file(path, key);
  if (!file) {
    encode_to(path, key, files, survey, vocabulary, options);
    file = open_corpus_file(path, key);
  }
  if (!file) throw RunError(path.string() + ": is not what was written: is the disk damaged?");
  const CorpusNotes& notes = file->notes;
  warn_of_oddities(files.source.string(), notes.source_oddities, notes.counts.read);
  warn_of_oddities(files.target.string(), notes.target_oddities, notes.counts.read);
  require_pairs(files, notes.counts, options.max_length);
  say_counts(files, notes.counts, options.max_length);
  return file->corpus;
}

}  // namespace xformer
