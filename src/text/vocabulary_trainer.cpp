#include "text/vocabulary_trainer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"

namespace xformer {
namespace {

constexpr int64_t kMostLines = 5'000'000;
constexpr const char* kEveryCharacter = "1.0";
constexpr const char* kFrequentCharacters = "0.9995";

using NextLine = std::function<bool(std::string&)>;

/// Hands portions to the trainer. An exception on the way is kept, not thrown through
/// SentencePiece.
class PortionIterator : public sentencepiece::SentenceIterator {
 public:
  explicit PortionIterator(TextPortions& portions) : portions_(portions) { Next(); }
  bool done() const override { return done_; }
  const std::string& value() const override { return portion_; }
  sentencepiece::util::Status status() const override { return {}; }
  void Next() override {
    try {
      done_ = !portions_.next(portion_);
      if (done_) training_.emplace();
    } catch (...) {
      failure_ = std::current_exception();
      done_ = true;
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  TextPortions& portions_;
  std::string portion_;
  bool done_ = false;
  std::optional<StopAtOnce> training_;  ///< from the end of the text on
  std::exception_ptr failure_;
};

/// What one run of SentencePiece's trainer gave: a model, or why there is none.
struct Outcome {
  std::string model, refusal;
  int64_t lines_cut = 0;
};

std::unordered_map<std::string, std::string> trainer_options(const VocabularyConfig& config,
                                                             int64_t threads,
                                                             const char* character_coverage) {
  const bool bpe = config.type == VocabularyType::kBpe;
  // SentencePiece writes num_threads into the model, where it would change the hash of an otherwise
  // equal bpe model.
  const int64_t num_threads = bpe ? 1 : std::clamp<int64_t>(threads, 1, 128);
  return {{"model_type", bpe ? "bpe" : "unigram"},
          {"vocab_size", std::to_string(config.size)},
          {"pad_id", std::to_string(kPad)},
          {"unk_id", std::to_string(kUnk)},
          {"bos_id", std::to_string(kBos)},
          {"eos_id", std::to_string(kEos)},
          {"character_coverage", character_coverage},
          {"normalization_rule_name", config.normalization},
          {"byte_fallback", config.byte_fallback ? "true" : "false"},
          {"num_threads", std::to_string(num_threads)},
          {"minloglevel", "3"}};
}

Outcome run_trainer(const NextLine& next_line, const std::string& origin,
                    const VocabularyConfig& config, int64_t threads,
                    const char* character_coverage) {
  TextPortions portions(next_line);
  PortionIterator iterator(portions);
  iterator.rethrow();
  if (iterator.done()) throw UserError(origin + ": no text to train a vocabulary on");
  Outcome outcome;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      trainer_options(config, threads, character_coverage), &iterator, &outcome.model);
  iterator.rethrow();
  if (!status.ok()) outcome.refusal = status.message();
  outcome.lines_cut = portions.lines_cut();
  return outcome;
}

/// The number that follows the last `marker` in a message.
std::optional<int64_t> number_after(std::string_view message, std::string_view marker) {
  const size_t at = message.rfind(marker);
  if (at == message.npos) return std::nullopt;
  message.remove_prefix(at + marker.size());
  int64_t number = 0;
  const auto result = std::from_chars(message.data(), message.data() + message.size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// "Vocabulary size is smaller than required_chars. 20 vs 62. ...": the second number.
std::optional<int64_t> least_size(const std::string& refusal) {
  return refusal.find("required_chars") == refusal.npos ? std::nullopt
                                                        : number_after(refusal, " vs ");
}

/// "Vocabulary size too high (32000). Please set it to a value <= 812."
std::optional<int64_t> greatest_size(const std::string& refusal) {
  return refusal.find("size too high") == refusal.npos ? std::nullopt
                                                       : number_after(refusal, "<= ");
}

Tokenizer tokenizer_of(Outcome outcome, const std::string& origin, const VocabularyConfig& config) {
  const std::string& refusal = outcome.refusal;
  if (outcome.lines_cut > 0) {
    spdlog::warn("{}: {} lines longer than {} bytes were cut for training the vocabulary", origin,
                 outcome.lines_cut, TextPortions::kLongestPortion);
  }
  if (refusal.empty())
    return Tokenizer::from_bytes(std::move(outcome.model), "the vocabulary of " + origin);
  if (const auto greatest = greatest_size(refusal)) {
    throw UserError(fmt::format("vocabulary.size is {}, but {} can give at most {} pieces",
                                config.size, origin, *greatest));
  }
  if (const auto least = least_size(refusal)) {
    throw UserError(
        fmt::format("vocabulary.size is {}, but {} needs at least {}, a piece for each character",
                    config.size, origin, *least));
  }
  if (refusal.find("charsmap") != refusal.npos) {
    throw UserError(
        fmt::format("vocabulary.normalization is \"{}\", must be nmt_nfkc, nfkc, nmt_nfkc_cf, "
                    "nfkc_cf or identity",
                    config.normalization));
  }
  throw UserError(fmt::format("{}: SentencePiece cannot train a vocabulary of {} pieces on it: {}",
                              origin, config.size, refusal));
}

std::string joined_names(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> names;
  for (const auto& path : files) names.push_back(path.string());
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace

Tokenizer train_tokenizer(const NextLine& next_line, const std::string& origin,
                          const VocabularyConfig& config, int64_t threads) {
  return tokenizer_of(run_trainer(next_line, origin, config, threads, kEveryCharacter), origin,
                      config);
}

Tokenizer train_tokenizer(const TrainingFiles& text, const VocabularyConfig& config,
                          int64_t threads) {
  const std::string origin = joined_names(text.files);
  const auto run = [&](const char* character_coverage) {
    FileLines lines(text, kMostLines);
    if (text.lines > kMostLines) {
      spdlog::info("{}: the vocabulary is trained on about {} of {} lines", origin, kMostLines,
                   text.lines);
    }
    return run_trainer([&](std::string& line) { return lines.next(line); }, origin, config, threads,
                       character_coverage);
  };
  Outcome outcome = run(kEveryCharacter);
  if (const auto least = least_size(outcome.refusal)) {
    outcome = run(kFrequentCharacters);
    if (outcome.refusal.empty()) {
      spdlog::warn(
          "{}: a piece for each character takes {}, vocabulary.size is {}: the rarest are left out",
          origin, *least, config.size);
    }
  }
  return tokenizer_of(std::move(outcome), origin, config);
}

}  // namespace xformer
