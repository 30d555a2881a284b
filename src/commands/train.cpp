#include "commands/train.h"

#include <ATen/Parallel.h>

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

/// Loss and greedy BLEU on the validation text; nothing when a stop signal came.
std::optional<Validation> validate(const EncoderDecoder& model, const ValidationText& text,
                                   const Vocabulary& vocabulary, const Config& config,
                                   torch::Device device) {
  const auto loss = validation_loss(model, text.corpus, config.training.batch_tokens, device);
  if (!loss) return std::nullopt;
  PlainDecoder decoder(model, device, UnknownWords::kForbidden);
  Translator translator(decoder, vocabulary, translator_options({.beam_size = 1}, config));
  std::vector<std::string> hypotheses;
  for (auto& translation : translator.translate(text.source)) {
    hypotheses.push_back(translation.texts.empty() ? "" : std::move(translation.texts[0]));
  }
  if (stop_requested()) return std::nullopt;
  return Validation{.loss = *loss, .bleu = corpus_bleu(hypotheses, {text.target}).score};
}

void log_start(const Config& config, const ParallelCorpus& corpus, const EncoderDecoder& model,
               torch::Device device) {
  int64_t parameters = 0;
  for (const auto& parameter : model->parameters()) parameters += parameter.numel();
  const auto precision = resolve_precision(config.training.precision, device);
  spdlog::info("{} parameters, {} on {}, {} threads, seed {}", parameters,
               precision == Precision::kBfloat16 ? "bfloat16" : "float32", device.str(),
               at::get_num_threads(), config.training.seed);
  const auto lengths = pair_lengths(corpus);
  const auto batches =
      make_length_batches(lengths, config.training.batch_tokens, config.training.seed, 0);
  int64_t tokens = 0;
  for (const auto& length : lengths) tokens += length.target;
  spdlog::info(
      "{} pairs, {} batches an epoch, {} target pieces in each on average, {:.1f} % padding",
      corpus.size(), batches.size(), tokens / static_cast<int64_t>(batches.size()),
      100 * padding_share(lengths, batches));
}

int64_t expected_updates(const Config& config, const ParallelCorpus& corpus) {
  const auto& training = config.training;
  const auto batches =
      make_length_batches(pair_lengths(corpus), training.batch_tokens, training.seed, 0);
  const auto an_epoch = (std::ssize(batches) + training.accum_iter - 1) / training.accum_iter;
  const auto all = an_epoch * training.num_epochs;
  const auto expected = training.max_updates > 0 ? std::min(all, training.max_updates) : all;
  if (training.warmup > expected) {
    spdlog::warn(
        "training.warmup is {} updates, but the whole training has about {}: the learning "
        "rate never reaches its peak",
        training.warmup, expected);
  }
  return expected;
}

}  // namespace

int run_train(const TrainOptions& options) {
  check_output(options);
  auto config = configuration(options);
  const fs::path folder = options.output;
  if (options.resume) check_changes(read_model_config(folder), config);
  const auto device = start_compute(options.common);
  resolve_precision(config.training.precision, device);
  check_training_files(config);

  const auto vocabulary =
      options.resume ? read_vocabulary(folder) : prepare_vocabulary(config, at::get_num_threads());
  const auto corpus = read_training_corpus(config, vocabulary);
  const auto valid = read_validation_text(config, vocabulary);
  auto model = make_model(config.model, sizes_of(vocabulary), config.training.seed);
  model->to(device);
  log_start(config, corpus, model, device);

  const Checkpoints checkpoints(folder, config.training.keep);
  if (!options.resume) checkpoints.remove_all();
  TrainLog log(folder / "training" / "metrics.jsonl", expected_updates(config, corpus));
  write_model_description(folder, config, vocabulary);

  TrainerHooks hooks{.validate = {}, .keep_best = [&](const EncoderDecoder& best) {
                       write_weights(folder, best, vocabulary);
                     }};
  if (valid) {
    hooks.validate = [&](const EncoderDecoder& judged) {
      return validate(judged, *valid, vocabulary, config, device);
    };
  }
  Trainer trainer({config, model, corpus, training_text_hash(config), checkpoints, log, device},
                  hooks);
  if (options.resume) {
    if (auto newest = checkpoints.newest()) {
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

  if (config.training.average > 0) {
    const auto count = checkpoints.average(config.training.average, model);
    write_weights(folder, model, vocabulary);
    spdlog::info("the model is the average of the last {} checkpoints", count);
  } else if (!valid) {
    write_weights(folder, model, vocabulary);
  }
  spdlog::info("the model is in {}", folder.string());
  return 0;
}

}  // namespace xformer
