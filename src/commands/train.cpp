#include "commands/train.h"

#include <ATen/Parallel.h>
#include <fmt/ranges.h>

#include <cmath>
#include <csignal>
#include <optional>

#include "commands/training_parts.h"
#include "commands/validation.h"
#include "distributed/launcher.h"
#include "distributed/watchdog.h"
#include "formats/stored_model.h"
#include "report/training_report.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "storage/model_folder.h"
#include "train/precision.h"
#include "train/trainer.h"

namespace xformer {
namespace {

TrainerHooks hooks_of(const TrainingParts& parts) {
  TrainerHooks hooks;
  if (!parts.valid) return hooks;
  hooks.validate = [&](const EncoderDecoder& model) { return validate(model, parts); };
  hooks.keep_best = [&](const EncoderDecoder& best) {
    write_weights(parts.folder, best, parts.vocabulary);
  };
  return hooks;
}

/// What an update is made of: micro-batches of all processes.
int64_t micro_batches(const TrainingParts& parts) {
  return parts.config.training.accum_iter * parts.group.size();
}

std::string compute_text(const TrainingParts& parts) {
  const auto precision = resolve_precision(parts.config.training.precision, parts.device);
  const int threads = at::get_num_threads();
  return fmt::format("{} on {}, {} thread{}", name_of(precision), parts.device.str(), threads,
                     threads == 1 ? "" : "s");
}

void log_start(const TrainingParts& parts, const std::vector<PairLength>& lengths,
               const IndexBatches& batches) {
  spdlog::info("unlike the defaults: {}", fmt::join(differences(Config(), parts.config), "; "));
  spdlog::info("{} parameters, {}, seed {}", parameter_count(parts.model), compute_text(parts),
               parts.config.training.seed);
  int64_t pieces = 0;
  for (int64_t b = 0; b < batches.size(); ++b) pieces += batches.target_pieces(b, lengths);
  spdlog::info(
      "{} pairs, {} batches an epoch, {} target pieces in each on average, {:.1f} % padding",
      parts.corpus.size(), batches.size(), pieces / batches.size(),
      100 * padding_share(lengths, batches));
  if (micro_batches(parts) > 1) {
    spdlog::info("an update takes {} batches, {} of each process: {} target pieces on average",
                 micro_batches(parts), parts.config.training.accum_iter,
                 micro_batches(parts) * pieces / batches.size());
  }
}

int64_t expected_updates(const TrainingParts& parts, int64_t batches) {
  const auto& training = parts.config.training;
  const auto an_epoch = (batches + micro_batches(parts) - 1) / micro_batches(parts);
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

TrainingReport make_report(const TrainingParts& parts, EpochBatches& batches) {
  const IndexBatches& first_epoch = batches.of(0);
  return {parts.folder / "training",
          {.model = parts.folder.string(),
           .config = parts.config,
           .compute = compute_text(parts),
           .parameters = parameter_count(parts.model),
           .expected_updates = expected_updates(parts, first_epoch.size()),
           .batches_an_epoch = first_epoch.size(),
           .padding_share = padding_share(batches.lengths(), first_epoch),
           .pairs = parts.corpus.counts(),
           .lengths = batches.lengths()}};
}

/// Puts the average of the last checkpoints into the folder, and judges it. Returns that as a
/// sentence.
std::string write_average(const TrainingParts& parts, const Checkpoints& checkpoints) {
  int64_t count = 0;
  if (parts.group.is_first()) {
    count = checkpoints.average(parts.config.training.average, parts.model);
    write_weights(parts.folder, parts.model, parts.vocabulary);
  }
  parts.group.broadcast(parts.model->parameters());
  auto result = fmt::format("the model is the average of the last {} checkpoints", count);
  parts.model.ptr()->eval();
  if (const auto found = parts.valid ? validate(parts.model, parts) : std::nullopt) {
    result += fmt::format("; its validation: perplexity {:.3f} (unsmoothed), BLEU {:.2f} (greedy)",
                          std::exp(found->loss), found->bleu);
  }
  return result;
}

/// What the folder holds in the end: the average, or the best that keep_best wrote, or the last.
/// Returns that as a sentence.
std::string write_final_model(const TrainingParts& parts, const Checkpoints& checkpoints,
                              const TrainState& state) {
  auto result = fmt::format("the model is that of update {}", state.updates);
  if (parts.config.training.average > 0) {
    result = write_average(parts, checkpoints);
  } else if (state.best_bleu >= 0) {
    result = fmt::format("the model is that of update {}, the best on the validation text",
                         state.best_update);
  } else if (parts.group.is_first()) {
    write_weights(parts.folder, parts.model, parts.vocabulary);
  }
  spdlog::info("{}", result);
  spdlog::info("the model is in {}", parts.folder.string());
  return result;
}

/// Makes the folder that of this training.
void write_start(const TrainingParts& parts, const Checkpoints& checkpoints) {
  if (!parts.group.is_first()) return;
  if (!parts.resume) {
    checkpoints.remove_all();
    remove_model(parts.folder);
  }
  write_run(parts.folder, parts.group.environment().run);
  write_model_description(parts.folder, parts.config, parts.vocabulary);
}

void resume(Trainer& trainer, const Checkpoints& checkpoints) {
  const auto newest = checkpoints.newest();
  if (!newest) {
    spdlog::warn("there is no checkpoint yet: the training begins anew");
    return;
  }
  trainer.resume(*newest);
  spdlog::info("resuming at update {} from {}", trainer.state().updates, newest->string());
}

/// Leaves the folder, its report and the log as a training should that has ended or was stopped;
/// returns the exit status. Only the first process has a report.
int end_training(const TrainingParts& parts, const Trainer& trainer, const Checkpoints& checkpoints,
                 TrainingReport* report) {
  const auto& state = trainer.state();
  TrainingProgress end{.updates = state.updates, .epoch = state.epoch};
  int status = 0;
  if (trainer.stopped()) {
    // The signal may have come to another process.
    const int signal = stop_requested() ? stop_signal() : SIGTERM;
    spdlog::info("stopped by signal {} after update {}; go on with --resume", signal,
                 state.updates);
    end.state = TrainingProgress::State::kStopped;
    status = 128 + signal;
  } else {
    end.state = TrainingProgress::State::kFinished;
    end.result = write_final_model(parts, checkpoints, state);
  }
  if (report == nullptr) return status;
  report->update(end);
  spdlog::info("how it went: {}", report->path().string());
  return status;
}

int train(const TrainOptions& options, const ProcessGroup& group) {
  const TrainingParts parts = prepare_training(options, group);
  const auto& training = parts.config.training;
  EpochBatches batches(parts.corpus, training.batch_tokens, training.seed);
  const IndexBatches& first_epoch = batches.of(0);
  if (first_epoch.size() == 0) {
    throw UserError("data.train.weight leaves no pair for the first epoch, must be larger");
  }
  const auto updates = expected_updates(parts, first_epoch.size());
  log_start(parts, batches.lengths(), first_epoch);
  warn_of_long_warmup(training, updates);

  const Checkpoints checkpoints(parts.folder, training.keep);
  write_start(parts, checkpoints);
  const auto metrics = parts.folder / "training" / "metrics.jsonl";
  TrainLog log(group.is_first() ? metrics : "", updates);
  Trainer trainer({parts.config, parts.model, batches, parts.corpus_hash, group, checkpoints, log,
                   parts.device},
                  hooks_of(parts));
  if (!options.init_from.empty() && !parts.resume) trainer.begin_with_given_weights();
  if (parts.resume && group.is_first()) resume(trainer, checkpoints);
  std::optional<TrainingReport> report;
  if (group.is_first()) report.emplace(make_report(parts, batches));
  log.on_metrics = [&](const TrainState& state) {
    report->update({.updates = state.updates, .epoch = state.epoch, .left = log.time_left(state)});
  };
  trainer.run();
  return end_training(parts, trainer, checkpoints, report ? &*report : nullptr);
}

/// One of several processes: what ends it ends them all.
int train_together(const TrainOptions& options, const ProcessEnvironment& environment) {
  constexpr int kFailed = 1, kUserMistake = 2;
  if (!environment.is_first()) spdlog::set_level(spdlog::level::off);
  const ProcessGroup group(environment);
  Watchdog watchdog(group);
  try {
    const int status = train(options, group);
    watchdog.stop();
    group.barrier();
    return status;
  } catch (const UserError& error) {
    watchdog.fail(error.what(), kUserMistake);
  } catch (const Stopped& stopped) {
    watchdog.fail("stopped", 128 + stopped.signal);
  } catch (const c10::Error& error) {
    watchdog.fail(error.what_without_backtrace(), kFailed);
  } catch (const std::exception& error) {
    watchdog.fail(error.what(), kFailed);
  }
}

void refuse_two_starters(int64_t processes, const ProcessEnvironment& environment) {
  if (processes == 0 || environment.size == 1) return;
  throw UserError("--processes is " + std::to_string(processes) + ", but WORLD_SIZE is " +
                  std::to_string(environment.size) +
                  ": another program has started the processes; leave --processes out");
}

}  // namespace

int run_train(const TrainOptions& options) {
  const auto environment = process_environment();
  const bool launched_here = environment.store_socket >= 0;
  if (!launched_here) refuse_two_starters(options.processes, environment);
  if (options.processes > 1 && !launched_here) {
    return launch_processes(options.processes, options.arguments);
  }
  if (environment.size == 1) return train(options, ProcessGroup());
  return train_together(options, environment);
}

}  // namespace xformer
