// The text that a configuration names, as a training needs it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "text/parallel_corpus.h"
#include "text/tokenizer.h"

namespace xformer {

/// Sentences to validate on: as text for BLEU, as ids for the loss.
struct ValidationText {
  std::vector<std::string> source, target;
  ParallelCorpus corpus;
};

/// Fails early, before any work: throws UserError when files are missing, of different length or
/// empty.
void check_training_files(const Config& config);

/// The vocabularies that the configuration names, or new ones trained on the training text alone.
Vocabulary prepare_vocabulary(const Config& config, int64_t threads);

ParallelCorpus read_training_corpus(const Config& config, const Vocabulary& vocabulary);
/// Hash of the training text.
std::string training_text_hash(const Config& config);

/// Nothing when the configuration names no validation text.
std::optional<ValidationText> read_validation_text(const Config& config,
                                                   const Vocabulary& vocabulary);

}  // namespace xformer
