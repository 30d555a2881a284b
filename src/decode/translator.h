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
  int64_t max_source_length = 0;  ///< longer sources are cut there; 0: never
  int64_t batch_tokens = 4096;    ///< padded source pieces of one batch
};

/// The translation of one line.
struct Translation {
  std::vector<std::string> texts;      ///< as many as were asked for, best first
  std::vector<Hypothesis> hypotheses;  ///< of the same order
  int64_t source_pieces = 0;           ///< before a cut
  bool blank = false;  ///< the line had no pieces: its one translation is blank, its score 0
  bool source_cut = false;
};

class Translator {
 public:
  Translator(StepDecoder& decoder, Vocabulary vocabulary, TranslatorOptions options);

  /// One translation a line, in the same order; lines of similar length are searched together, the
  /// longest first. Returns early, with the remaining lines untranslated, when a stop signal came:
  /// see stop_requested().
  /// `on_lines` hears how many more lines are done, batch by batch.
  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const std::function<void(int64_t)>& on_lines = {});

 private:
  int64_t max_length(int64_t source_pieces) const;

  StepDecoder& decoder_;
  Vocabulary vocabulary_;
  TranslatorOptions options_;
};

}  // namespace xformer
