#include "decode/translator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

#include "runtime/error.h"
#include "runtime/stop_signal.h"
#include "runtime/thread_team.h"

namespace xformer {
namespace {

/// Lines that a worker encodes before it looks for more.
constexpr size_t kLinesTogether = 64;

using Batches = std::vector<std::vector<size_t>>;

/// The given sentences, longest first, in batches whose padded size stays within the budget.
Batches batches_by_length(const std::vector<SearchSource>& sources, std::vector<size_t> order,
                          int64_t batch_tokens) {
  const auto length = [&](size_t i) { return sources[i].ids.size() + 1; };  // with its eos
  std::ranges::stable_sort(order, std::greater<>(), length);
  Batches batches;
  size_t longest = 0;
  for (const size_t i : order) {
    const bool fits = !batches.empty() &&
                      (batches.back().size() + 1) * longest <= static_cast<size_t>(batch_tokens);
    if (!fits) {
      batches.emplace_back();
      longest = length(i);
    }
    batches.back().push_back(i);
  }
  return batches;
}

/// Calls run(worker, item) for all items, whoever is free taking the next few.
template <class Run>
void share_out(size_t workers, size_t items, size_t together, Run run) {
  const size_t needed = std::clamp<size_t>((items + together - 1) / together, 1, workers);
  std::atomic<size_t> next{0};
  ThreadTeam(static_cast<int64_t>(needed)).run([&](int64_t worker) {
    for (size_t first; (first = next.fetch_add(together)) < items;) {
      for (size_t i = first; i < std::min(items, first + together); ++i) run(worker, i);
    }
  });
}

}  // namespace

/// What is known of the lines of one call.
struct Translator::Job {
  const std::vector<std::string>& lines;
  const std::vector<std::string>& prefixes;
  std::vector<SearchSource> sources;
  std::vector<Translation> translations;
};

Translator::Translator(std::vector<StepDecoder*> workers, Vocabulary vocabulary,
                       TranslatorOptions options)
    : workers_(std::move(workers)), vocabulary_(std::move(vocabulary)), options_(options) {}

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines,
                                               const std::vector<std::string>& prefixes) {
  Job job{.lines = lines, .prefixes = prefixes, .sources = {}, .translations = {}};
  job.sources.resize(lines.size());
  job.translations.resize(lines.size());
  share_out(workers_.size(), lines.size(), kLinesTogether,
            [&](size_t, size_t line) { encode(job, line); });
  std::vector<size_t> full;
  for (size_t line = 0; line < lines.size(); ++line) {
    if (!job.translations[line].blank) full.push_back(line);
  }
  search_all(job.sources, std::move(full), [&](size_t line, std::vector<Hypothesis> found) {
    auto& translation = job.translations[line];
    translation.hypotheses = std::move(found);
    for (const auto& hypothesis : translation.hypotheses) {
      translation.texts.push_back(vocabulary_.target.decode(hypothesis.ids));
    }
  });
  lines_before_ += lines.size();
  return std::move(job.translations);
}

std::vector<Hypothesis> Translator::score(const std::vector<std::string>& sources,
                                          const std::vector<std::string>& targets) {
  std::vector<SearchSource> pairs(sources.size());
  std::vector<Hypothesis> scored(sources.size());
  std::vector<size_t> all(sources.size());
  std::iota(all.begin(), all.end(), 0);
  for (const size_t i : all) {
    pairs[i] = {.ids = vocabulary_.source.encode(sources[i]),
                .max_length = 1,
                .prefix = vocabulary_.target.encode(targets[i])};
    pairs[i].prefix.push_back(vocabulary_.tokens.eos);
    scored[i].log_prob = scored[i].score = std::nan("");
  }
  search_all(pairs, std::move(all), [&](size_t pair, std::vector<Hypothesis> found) {
    scored[pair] = std::move(found.front());
  });
  return scored;
}

template <class Take>
void Translator::search_all(std::vector<SearchSource>& sources, std::vector<size_t> which,
                            Take take) {
  const auto batches = batches_by_length(sources, std::move(which), options_.batch_tokens);
  std::mutex reporting;
  share_out(workers_.size(), batches.size(), 1, [&](size_t worker, size_t batch) {
    if (stop_requested()) return;
    std::vector<SearchSource> together;
    for (const size_t i : batches[batch]) together.push_back(std::move(sources[i]));
    auto results = beam_search(*workers_[worker], together, options_.search);
    for (size_t i = 0; i < results.size(); ++i) take(batches[batch][i], std::move(results[i]));
    const std::lock_guard lock(reporting);
    report_(together.size());
  });
}

void Translator::encode(Job& job, size_t line) const {
  auto ids = vocabulary_.source.encode(job.lines[line]);
  auto& translation = job.translations[line];
  translation.source_pieces = std::ssize(ids);
  translation.blank = ids.empty();
  translation.source_cut =
      options_.max_source_length > 0 && std::ssize(ids) > options_.max_source_length;
  if (translation.source_cut) ids.resize(options_.max_source_length);
  if (translation.blank) {
    translation.texts.resize(1);
    translation.hypotheses.resize(1);
  }
  translation.source_ids = ids;

  auto& source = job.sources[line];
  source.max_length = max_length(std::ssize(ids));
  source.number = lines_before_ + line;
  source.ids = std::move(ids);
  if (!job.prefixes.empty()) source.prefix = vocabulary_.target.encode(job.prefixes[line]);
  source.max_length = within_positions(source.max_length, std::ssize(source.prefix));
  if (std::ranges::find(source.prefix, vocabulary_.tokens.unk) != source.prefix.end()) {
    throw UserError("the prefix of line " + std::to_string(source.number + 1) + " is \"" +
                    job.prefixes[line] + "\", must have no characters that the vocabulary lacks");
  }
}

int64_t Translator::within_positions(int64_t max_length, int64_t prefix_pieces) const {
  if (options_.max_positions == 0) return max_length;
  return std::clamp<int64_t>(options_.max_positions - prefix_pieces, 1, max_length);
}

int64_t Translator::max_length(int64_t source_pieces) const {
  if (options_.max_length > 0) return options_.max_length;
  const double limit = options_.limits.max_length_factor * static_cast<double>(source_pieces);
  return std::max<int64_t>(1, std::llround(limit) + options_.limits.max_length_extra);
}

}  // namespace xformer
