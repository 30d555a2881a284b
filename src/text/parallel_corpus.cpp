#include "text/parallel_corpus.h"

#include <fmt/core.h>

#include <string_view>

#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/mapped_file.h"
#include "runtime/stop_signal.h"
#include "text/content_hash.h"
#include "text/line_reader.h"

namespace xformer {
namespace {

/// Share of dropped pairs from which on the log warns.
constexpr double kNotableDrop = 0.1;

std::string names(const CorpusFiles& files) {
  return files.source.string() + " and " + files.target.string();
}

/// Adds the pair or counts why not.
void add_or_drop(ParallelCorpus& corpus, std::span<const int32_t> source,
                 std::span<const int32_t> target, size_t max_length) {
  CorpusCounts& counts = corpus.counts;
  ++counts.read;
  if (source.empty() || target.empty()) {
    ++counts.dropped_empty;
  } else if (max_length > 0 && (source.size() > max_length || target.size() > max_length)) {
    ++counts.dropped_too_long;
  } else {
    corpus.add(source, target);
    ++counts.kept;
  }
}

void log_counts(const CorpusFiles& files, const CorpusCounts& counts, int64_t max_length) {
  const std::string too_long = max_length > 0 ? fmt::format(" and {} longer than {} pieces",
                                                            counts.dropped_too_long, max_length)
                                              : "";
  spdlog::info("{}: read {} pairs, kept {}, dropped {} empty{}", names(files), counts.read,
               counts.kept, counts.dropped_empty, too_long);
  const int64_t dropped = counts.read - counts.kept;
  if (static_cast<double>(dropped) > kNotableDrop * static_cast<double>(counts.read)) {
    spdlog::warn(
        "{}: {:.1f} % of the pairs were dropped; data.max_length sets how long a pair may be",
        names(files), 100.0 * static_cast<double>(dropped) / static_cast<double>(counts.read));
  }
}

void require_pairs(const CorpusFiles& files, const CorpusCounts& counts, int64_t max_length) {
  if (counts.kept == 0) {
    throw UserError(fmt::format(
        "{}: none of the {} pairs can be used, {} are empty and {} longer than {} pieces",
        names(files), counts.read, counts.dropped_empty, counts.dropped_too_long, max_length));
  }
}

}  // namespace

std::span<const int32_t> ParallelCorpus::source(int64_t i) const {
  return std::span(source_ids_)
      .subspan(source_offsets_[i], source_offsets_[i + 1] - source_offsets_[i]);
}

std::span<const int32_t> ParallelCorpus::target(int64_t i) const {
  return std::span(target_ids_)
      .subspan(target_offsets_[i], target_offsets_[i + 1] - target_offsets_[i]);
}

void ParallelCorpus::add(std::span<const int32_t> source, std::span<const int32_t> target) {
  source_ids_.insert(source_ids_.end(), source.begin(), source.end());
  target_ids_.insert(target_ids_.end(), target.begin(), target.end());
  source_offsets_.push_back(static_cast<int64_t>(source_ids_.size()));
  target_offsets_.push_back(static_cast<int64_t>(target_ids_.size()));
}

void require_parallel(const CorpusFiles& files) {
  const int64_t source_lines = count_lines(files.source), target_lines = count_lines(files.target);
  if (source_lines != target_lines) {
    throw UserError(
        fmt::format("{} has {} lines, {} has {}: must be as many, line i of one translating line i "
                    "of the other",
                    files.source.string(), source_lines, files.target.string(), target_lines));
  }
  if (source_lines == 0) throw UserError(names(files) + " have no line, must have at least one");
}

ParallelCorpus read_parallel_corpus(const CorpusFiles& files, const Vocabulary& vocabulary,
                                    int64_t max_length) {
  require_parallel(files);

  LineReader source_reader(files.source), target_reader(files.target);
  std::string source_line, target_line;
  ParallelCorpus corpus;
  while (source_reader.next(source_line) && target_reader.next(target_line)) {
    if (stop_requested()) throw RunError("stopped while reading " + names(files));
    add_or_drop(corpus, vocabulary.source.encode(source_line),
                vocabulary.target.encode(target_line), static_cast<size_t>(max_length));
  }
  source_reader.warn_of_oddities();
  target_reader.warn_of_oddities();
  require_pairs(files, corpus.counts, max_length);
  log_counts(files, corpus.counts, max_length);
  return corpus;
}

std::string content_hash(const std::vector<std::filesystem::path>& files) {
  ContentHash all;
  for (const auto& path : files) {
    const MappedFile file(path);
    ContentHash one;
    one.update({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
    all.update(one.hex());
  }
  return all.hex();
}

}  // namespace xformer
