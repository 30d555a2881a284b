// The text that a configuration names, as a training needs it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "text/parallel_corpus.h"
#include "text/text_survey.h"
#include "text/tokenizer.h"

namespace xformer {

/// Sentences to validate on: as text for BLEU, as ids for the loss.
struct ValidationText {
  std::vector<std::string> source, target;
  ParallelCorpus corpus;
};

/// Where a training takes its text from. Each file is read once to be surveyed, once more when a
/// vocabulary has to be trained, and once more when it has to be encoded; what the cache knows is
/// not read for that again.
class TrainingData {
 public:
  /// Surveys every file. Throws UserError when files are missing, of different length or empty, and
  /// Stopped. `model_folder` takes the cache where the user has no cache folder.
  TrainingData(const Config& config, const std::filesystem::path& model_folder, int64_t threads);

  /// The vocabularies that the configuration names, or new ones trained on the training text alone.
  Vocabulary vocabulary() const;
  ParallelCorpus training_corpus(const Vocabulary& vocabulary) const;
  /// Nothing when the configuration names no validation text.
  std::optional<ValidationText> validation_text(const Vocabulary& vocabulary) const;
  /// Hash of the training text and its weights: of all that gives a place in an epoch its meaning.
  std::string hash() const;

 private:
  struct Text {
    CorpusFiles files;
    double weight = 1;
    CorpusSurvey survey;
  };
  Tokenizer trained_tokenizer(bool source, bool target) const;
  ParallelCorpus load(const Text& text, const Vocabulary& vocabulary) const;

  const Config& config_;
  std::filesystem::path cache_;
  int64_t threads_;
  std::vector<Text> texts_;
  std::optional<Text> valid_;
};

}  // namespace xformer
