#include "commands/train.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "commands/compute.h"
#include "commands/decoding.h"
#include "commands/training_data.h"
#include "decode/plain_decoder.h"
#include "decode/translator.h"
#include "formats/model_folder.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "scoring/bleu.h"
#include "train/precision.h"
#include "train/trainer.h"
#include "train/validation_loss.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// Whether `folder` already holds something that a training would replace.
bool holds_model(const fs::path& folder) {
  return fs::exists(folder / "config.json") || fs::exists(folder / "model.safetensors");
}

void check_output(const TrainOptions& options) {
  const fs::path folder = options.output;
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    throw UserError("--output " + options.output + ": is a file, must be a folder");
  }
  if (options.resume && !holds_model(folder)) {
    throw UserError("--resume: " + options.output + " holds no training to go on with");
  }
  if (!options.resume && !options.overwrite && holds_model(folder)) {
    throw UserError("--output " + options.output +
                    ": already holds a model; go on with --resume or replace it with --overwrite");
  }
}

Config configuration(const TrainOptions& options) {
  std::vector<Override> overrides;
  for (const auto& argument : options.overrides) overrides.push_back(parse_override(argument));
  const bool saved = options.config.empty();
  return load_config(saved ? (fs::path(options.output) / "config.json").string() : options.config,
                     overrides);
}

/// What a resumed training may change is announced; what would make it another training is refused.
void check_changes(const Config& saved, const Config& wanted) {
  constexpr const char* kFixed[] = {
      "data.task", "data.copy",     "data.max_length",      "vocabulary.",
      "model.",    "training.seed", "training.batch_tokens"};
  constexpr const char* kFree[] = {"model.dropout", "model.attention_dropout"};
  auto starts = [](const std::string& text) {
    return [&](const char* prefix) { return text.starts_with(prefix); };
  };
  for (const auto& change : differences(saved, wanted)) {
    if (std::ranges::any_of(kFixed, starts(change)) &&
        std::ranges::none_of(kFree, starts(change))) {
      throw UserError("--resume: " + change + ": cannot change in mid-training");
    }
    spdlog::info("changed on resume: {}", change);
  }
}

/// Everything that a training is made of, in the order in which it is prepared.
struct Parts {
  fs::path folder;
  Config config;
  torch::Device device;
  Vocabulary vocabulary;
  ParallelCorpus corpus;
  std::optional<ValidationText> valid;
  EncoderDecoder model;
};

/// Mistakes come to light here, the cheap ones first and before anything is written.
Parts prepare(const TrainOptions& options) {
  check_output(options);
  const auto config = configuration(options);
  const fs::path folder = options.output;
  if (options.resume) check_changes(read_model_config(folder), config);
  const auto device = start_compute(options.common);
  resolve_precision(config.training.precision, device);
  check_training_files(config);

  const auto vocabulary =
      options.resume ? read_vocabulary(folder) : prepare_vocabulary(config, at::get_num_threads());
  auto corpus = read_training_corpus(config, vocabulary);
  auto valid = read_validation_text(config, vocabulary);
  auto model = make_model(config.model, sizes_of(vocabulary), config.training.seed);
  model->to(device);
  return {folder, config, device, vocabulary, std::move(corpus), std::move(valid), model};
}

/// Loss and greedy BLEU on the validation text; nothing when a stop signal came.
std::optional<Validation> validate(const EncoderDecoder& model, const Parts& parts) {
  const auto& config = parts.config;
  const auto loss =
      validation_loss(model, parts.valid->corpus, config.training.batch_tokens, parts.device);
  if (!loss) return std::nullopt;
  PlainDecoder decoder(model, parts.device, UnknownWords::kForbidden);
  Translator translator({&decoder}, parts.vocabulary, translator_options({.beam_size = 1}, config));
  std::vector<std::string> hypotheses;
  for (auto& translation : translator.translate(parts.valid->source)) {
    if (stop_requested()) return std::nullopt;
    hypotheses.push_back(std::move(translation.texts[0]));
  }
  return Validation{.loss = *loss, .bleu = corpus_bleu(hypotheses, {parts.valid->target}).score};
}

TrainerHooks hooks_of(const Parts& parts) {
  TrainerHooks hooks;
  if (!parts.valid) return hooks;
  hooks.validate = [&](const EncoderDecoder& model) { return validate(model, parts); };
  hooks.keep_best = [&](const EncoderDecoder& best) {
    write_weights(parts.folder, best, parts.vocabulary);
  };
  return hooks;
}

void log_start(const Parts& parts, const std::vector<PairLength>& lengths,
               const std::vector<IndexBatch>& batches) {
  const auto& training = parts.config.training;
  const auto precision = resolve_precision(training.precision, parts.device);
  spdlog::info("{} parameters, {} on {}, {} threads, seed {}", parameter_count(parts.model),
               precision == Precision::kBfloat16 ? "bfloat16" : "float32", parts.device.str(),
               at::get_num_threads(), training.seed);
  int64_t pieces = 0;
  for (const auto& length : lengths) pieces += length.target;
  spdlog::info(
      "{} pairs, {} batches an epoch, {} target pieces in each on average, {:.1f} % padding",
      parts.corpus.size(), batches.size(), pieces / std::ssize(batches),
      100 * padding_share(lengths, batches));
}

int64_t expected_updates(const TrainingConfig& training, int64_t batches) {
  const auto an_epoch = (batches + training.accum_iter - 1) / training.accum_iter;
  const auto all = an_epoch * training.num_epochs;
  return training.max_updates > 0 ? std::min(all, training.max_updates) : all;
}

void warn_of_long_warmup(const TrainingConfig& training, int64_t updates) {
  if (training.warmup <= updates) return;
  spdlog::warn(
      "training.warmup is {} updates, but the whole training has about {}: the learning rate never "
      "reaches its peak",
      training.warmup, updates);
}

/// What the folder holds in the end: the average, or the best that keep_best wrote, or the last.
void write_final_model(const Parts& parts, const Checkpoints& checkpoints) {
  const auto wanted = parts.config.training.average;
  if (wanted > 0) {
    const auto count = checkpoints.average(wanted, parts.model);
    write_weights(parts.folder, parts.model, parts.vocabulary);
    spdlog::info("the model is the average of the last {} checkpoints", count);
    parts.model.ptr()->eval();
    const auto found = parts.valid ? validate(parts.model, parts) : std::nullopt;
    if (found) {
      spdlog::info("its validation: perplexity {:.3f} (unsmoothed), BLEU {:.2f} (greedy)",
                   std::exp(found->loss), found->bleu);
    }
  } else if (!parts.valid) {
    write_weights(parts.folder, parts.model, parts.vocabulary);
  }
  spdlog::info("the model is in {}", parts.folder.string());
}

}  // namespace

int run_train(const TrainOptions& options) {
  const Parts parts = prepare(options);
  const auto& training = parts.config.training;
  const auto lengths = pair_lengths(parts.corpus);
  const auto first_epoch =
      make_length_batches(lengths, training.batch_tokens, training.seed, /*epoch=*/0);
  const auto updates = expected_updates(training, std::ssize(first_epoch));
  log_start(parts, lengths, first_epoch);
  warn_of_long_warmup(training, updates);

  const Checkpoints checkpoints(parts.folder, training.keep);
  if (!options.resume) {
    checkpoints.remove_all();
    remove_model(parts.folder);
  }
  write_model_description(parts.folder, parts.config, parts.vocabulary);
  TrainLog log(parts.folder / "training" / "metrics.jsonl", updates);
  Trainer trainer({parts.config, parts.model, parts.corpus, training_text_hash(parts.config),
                   checkpoints, log, parts.device},
                  hooks_of(parts));
  if (options.resume) {
    if (const auto newest = checkpoints.newest()) {
      trainer.resume(*newest);
      spdlog::info("resuming at update {} from {}", trainer.state().updates, newest->string());
    }
  }
  trainer.run();
  if (stop_requested()) {
    spdlog::info("stopped by signal {} after update {}; go on with --resume", stop_signal(),
                 trainer.state().updates);
    return 128 + stop_signal();
  }
  write_final_model(parts, checkpoints);
  return 0;
}

}  // namespace xformer
