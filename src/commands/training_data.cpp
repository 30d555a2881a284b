#include "commands/training_data.h"

#include <unistd.h>

#include <cstdlib>

#include "data/copy_task.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "text/content_hash.h"
#include "text/corpus_cache.h"
#include "text/line_reader.h"
#include "text/vocabulary_cache.h"
#include "text/vocabulary_trainer.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

bool is_copy_task(const Config& config) {
  return config.data.task == Task::kCopy;
}

std::vector<std::string> copy_lines(const Config& config) {
  return copy_task_lines(config.data.copy, config.data.copy.pairs, config.training.seed);
}

std::vector<std::string> copy_validation_lines(const Config& config) {
  constexpr int64_t kLines = 200;
  // Another seed than the training lines have.
  return copy_task_lines(config.data.copy, kLines, ~static_cast<uint64_t>(config.training.seed));
}

std::vector<std::string> read_lines(const fs::path& path) {
  auto lines = LineReader(path).rest();
  leave_if_stopped();
  return lines;
}

ParallelCorpus encoded_copies(const std::vector<std::string>& lines, const Vocabulary& vocabulary) {
  PairTable pairs;
  for (const auto& line : lines) {
    pairs.add(vocabulary.source.encode(line), vocabulary.target.encode(line));
  }
  return ParallelCorpus(std::move(pairs));
}

Tokenizer train_on_lines(const std::vector<std::string>& lines, const Config& config,
                         int64_t threads) {
  size_t next = 0;
  auto next_line = [&](std::string& line) {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
  return train_tokenizer(next_line, "the copy task", config.vocabulary, threads);
}

/// Everything in the configuration that a trained vocabulary depends on.
std::vector<std::string> traits_of(const VocabularyConfig& config, int64_t threads) {
  const bool unigram = config.type == VocabularyType::kUnigram;
  return {std::to_string(config.size), unigram ? "unigram" : "bpe", config.normalization,
          config.byte_fallback ? "bytes" : "", unigram ? std::to_string(threads) : ""};
}

bool can_be_written(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return !error && ::access(folder.c_str(), W_OK) == 0;
}

/// data.cache; or the user's cache folder by the XDG rules; or, where that cannot be written, one
/// in the model folder.
fs::path cache_folder(const Config& config, const fs::path& model_folder) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  if (!config.data.cache.empty()) return config.data.cache;
  const fs::path xdg = variable("XDG_CACHE_HOME"), home = variable("HOME");
  for (const auto& folder : {xdg / "xformer", home / ".cache" / "xformer"}) {
    if (folder.is_absolute() && can_be_written(folder)) return folder;
  }
  return model_folder / "training" / "cache";
}

}  // namespace

TrainingData::TrainingData(const Config& config, const fs::path& model_folder, int64_t threads)
    : config_(config), threads_(threads) {
  if (is_copy_task(config)) return;
  cache_ = cache_folder(config, model_folder);
  make_cache_folder(cache_);
  const auto& train = config.data.train;
  for (size_t i = 0; i < train.source.size(); ++i) {
    Text text{.files = {train.source[i], train.target[i]}, .survey = {}};
    if (!train.weight.empty()) text.weight = train.weight[i];
    text.survey = survey_corpus(text.files);
    texts_.push_back(std::move(text));
  }
  const auto& valid = config.data.valid;
  if (valid.source.empty()) return;
  valid_ = Text{.files = {valid.source, valid.target}, .survey = {}};
  valid_->survey = survey_corpus(valid_->files);
}

Vocabulary TrainingData::vocabulary() const {
  const auto& wanted = config_.vocabulary;
  auto both = [](const Tokenizer& tokenizer) { return Vocabulary{tokenizer, tokenizer}; };

  if (!wanted.model.empty()) return both(Tokenizer::load(wanted.model));
  if (!wanted.source_model.empty()) {
    return {Tokenizer::load(wanted.source_model), Tokenizer::load(wanted.target_model)};
  }
  if (is_copy_task(config_)) return both(train_on_lines(copy_lines(config_), config_, threads_));
  if (wanted.shared) return both(trained_tokenizer(true, true));
  return {trained_tokenizer(true, false), trained_tokenizer(false, true)};
}

/// From the source files, the target files, or both.
Tokenizer TrainingData::trained_tokenizer(bool source, bool target) const {
  TrainingFiles training;
  auto key = traits_of(config_.vocabulary, threads_);
  const auto add = [&](const fs::path& file, int64_t lines, const std::string& hash) {
    training.files.push_back(file);
    training.lines += lines;
    key.push_back(hash);
  };
  for (const auto& [files, weight, survey] : texts_) {
    if (source) add(files.source, survey.lines, survey.source_hash);
    if (target) add(files.target, survey.lines, survey.target_hash);
  }
  const std::string name =
      "the vocabulary of " + std::to_string(config_.vocabulary.size) + " pieces";
  return cached_tokenizer(cache_, combined_hash(key), name, [&] {
    spdlog::info("training {}", name);
    return train_tokenizer(training, config_.vocabulary, threads_);
  });
}

ParallelCorpus TrainingData::training_corpus(const Vocabulary& vocabulary) const {
  if (is_copy_task(config_)) return encoded_copies(copy_lines(config_), vocabulary);
  ParallelCorpus corpus;
  for (const auto& text : texts_) corpus.append(load(text, vocabulary), text.weight);
  return corpus;
}

std::optional<ValidationText> TrainingData::validation_text(const Vocabulary& vocabulary) const {
  ValidationText result;
  if (is_copy_task(config_)) {
    result.source = result.target = copy_validation_lines(config_);
    result.corpus = encoded_copies(result.source, vocabulary);
    return result;
  }
  if (!valid_) return std::nullopt;
  result.source = read_lines(valid_->files.source);
  result.target = read_lines(valid_->files.target);
  result.corpus = load(*valid_, vocabulary);
  return result;
}

ParallelCorpus TrainingData::load(const Text& text, const Vocabulary& vocabulary) const {
  return load_corpus(text.files, text.survey, vocabulary,
                     {.cache = cache_, .max_length = config_.data.max_length, .threads = threads_});
}

std::string TrainingData::hash() const {
  if (is_copy_task(config_)) {
    ContentHash hash;
    for (const auto& line : copy_lines(config_)) hash.update(line + '\n');
    return hash.hex();
  }
  std::vector<std::string> parts;
  for (const auto& text : texts_) {
    parts.insert(parts.end(), {text.survey.source_hash, text.survey.target_hash});
    if (text.weight != 1) parts.push_back(std::to_string(text.weight));
  }
  return combined_hash(parts);
}

}  // namespace xformer
