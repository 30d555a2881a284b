// Lines in, lines out: pieces, batches, search, text again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "decode/search.h"
#include "text/tokenizer.h"

namespace xformer {

struct TranslatorOptions {
  SearchOptions search;
  DecodingConfig limits;          ///< length limits relative to the source
  int64_t max_length = 0;         ///< most pieces of a translation; 0: as `limits` says
  int64_t max_positions = 0;      ///< and in any case, with what it begins with; 0: no limit
  int64_t max_source_length = 0;  ///< longer sources are cut there; 0: never
  int64_t batch_tokens = 4096;    ///< padded source pieces of one batch
};

/// The translation of one line.
struct Translation {
  std::vector<std::string> texts;      ///< as many as were asked for, best first
  std::vector<Hypothesis> hypotheses;  ///< of the same order
  std::vector<int32_t> source_ids;     ///< after a cut
  int64_t source_pieces = 0;           ///< before a cut
  bool blank = false;  ///< the line had no pieces: its one translation is blank, its score 0
  bool source_cut = false;
};

class Translator {
 public:
  /// Batches are spread over the workers, which the translator does not own.
  Translator(std::vector<StepDecoder*> workers, Vocabulary vocabulary, TranslatorOptions options);

  /// One translation a line, in the same order; lines of similar length are searched together, the
  /// longest first. `prefixes` holds what each translation begins with, or nothing at all. Returns
  /// early, with lines untranslated (no hypotheses), when a stop signal came: see stop_requested().
  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const std::vector<std::string>& prefixes = {});

  /// The log-probability of each given target with its eos, as search would score it; -infinity
  /// where it holds a piece that may not be chosen. Nothing is cut. Returns early, with numbers
  /// missing (not a number), when a stop signal came.
  std::vector<Hypothesis> score(const std::vector<std::string>& sources,
                                const std::vector<std::string>& targets);

  /// Calls back, from one worker at a time, with the number of lines that were just done.
  void on_progress(std::function<void(size_t lines)> report) { report_ = std::move(report); }

 private:
  struct Job;
  void encode(Job& job, size_t line) const;
  /// Searches the sources named by `which`, and gives the hypotheses of each to `take`.
  template <class Take>
  void search_all(std::vector<SearchSource>& sources, std::vector<size_t> which, Take take);
  int64_t max_length(int64_t source_pieces) const;
  int64_t within_positions(int64_t max_length, int64_t prefix_pieces) const;

  std::vector<StepDecoder*> workers_;
  Vocabulary vocabulary_;
  TranslatorOptions options_;
  uint64_t lines_before_ = 0;
  std::function<void(size_t lines)> report_ = [](size_t) {};
};

}  // namespace xformer
