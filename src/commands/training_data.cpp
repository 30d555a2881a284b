#include "commands/training_data.h"

#include "data/copy_task.h"
#include "runtime/log.h"
#include "text/content_hash.h"
#include "text/line_reader.h"
#include "text/vocabulary_trainer.h"

namespace xformer {
namespace {

CorpusFiles files_of(const FilePair& pair) {
  return {.source = pair.source, .target = pair.target};
}

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

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader{std::filesystem::path(path)};
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

ParallelCorpus encode_pairs(const std::vector<std::string>& source,
                            const std::vector<std::string>& target, const Vocabulary& vocabulary) {
  ParallelCorpus corpus;
  for (size_t i = 0; i < source.size(); ++i) {
    corpus.add(vocabulary.source.encode(source[i]), vocabulary.target.encode(target[i]));
  }
  return corpus;
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

Tokenizer train_on_files(std::vector<std::filesystem::path> files, const Config& config,
                         int64_t threads) {
  spdlog::info("training a vocabulary of {} pieces", config.vocabulary.size);
  return train_tokenizer(files, config.vocabulary, threads);
}

}  // namespace

void check_training_files(const Config& config) {
  if (is_copy_task(config)) return;
  require_parallel(files_of(config.data.train));
  if (!config.data.valid.source.empty()) require_parallel(files_of(config.data.valid));
}

Vocabulary prepare_vocabulary(const Config& config, int64_t threads) {
  const auto& wanted = config.vocabulary;
  const auto& train = config.data.train;
  auto both = [](const Tokenizer& tokenizer) { return Vocabulary{tokenizer, tokenizer}; };

  if (!wanted.model.empty()) return both(Tokenizer::load(wanted.model));
  if (!wanted.source_model.empty()) {
    return {Tokenizer::load(wanted.source_model), Tokenizer::load(wanted.target_model)};
  }
  if (is_copy_task(config)) return both(train_on_lines(copy_lines(config), config, threads));
  if (wanted.shared) return both(train_on_files({train.source, train.target}, config, threads));
  return {train_on_files({train.source}, config, threads),
          train_on_files({train.target}, config, threads)};
}

ParallelCorpus read_training_corpus(const Config& config, const Vocabulary& vocabulary) {
  if (is_copy_task(config)) {
    const auto lines = copy_lines(config);
    return encode_pairs(lines, lines, vocabulary);
  }
  return read_parallel_corpus(files_of(config.data.train), vocabulary, config.data.max_length);
}

std::string training_text_hash(const Config& config) {
  if (!is_copy_task(config)) {
    return content_hash({config.data.train.source, config.data.train.target});
  }
  ContentHash hash;
  for (const auto& line : copy_lines(config)) hash.update(line + '\n');
  return hash.hex();
}

std::optional<ValidationText> read_validation_text(const Config& config,
                                                   const Vocabulary& vocabulary) {
  ValidationText text;
  if (is_copy_task(config)) {
    text.source = text.target = copy_validation_lines(config);
    text.corpus = encode_pairs(text.source, text.target, vocabulary);
    return text;
  }
  const auto& valid = config.data.valid;
  if (valid.source.empty()) return std::nullopt;
  text.source = read_lines(valid.source);
  text.target = read_lines(valid.target);
  text.corpus = read_parallel_corpus(files_of(valid), vocabulary, config.data.max_length);
  return text;
}

}  // namespace xformer
