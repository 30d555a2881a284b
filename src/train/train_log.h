// What a training says while it runs: log lines, a live line on a terminal, metrics.jsonl, and
// curves for TensorBoard beside it.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runtime/progress.h"
#include "text/translation_sample.h"
#include "train/event_file.h"
#include "train/train_state.h"

namespace xformer {

/// What a validation found.
struct Validation {
  double loss = 0;  ///< unsmoothed, nats a target piece
  double bleu = 0;
  std::vector<TranslationSample> samples{};  ///< a few sentences, each time the same ones
};

class TrainLog {
 public:
  /// `expected_updates` is what the whole training will come to, for the time left. Without a name
  /// for metrics it says nothing at all: of several processes only the first one speaks.
  TrainLog(std::filesystem::path metrics, int64_t expected_updates);

  /// Begins at `state`; lines of metrics.jsonl that lie after it, from a run that was killed, are
  /// dropped.
  void start(const TrainState& state);
  /// Every update: the target pieces that it had and the time that it took.
  void progress(const TrainState& state, int64_t tokens, std::chrono::duration<double> time);
  /// Every log_every updates; loss is the mean since the last such line.
  void update(const TrainState& state, double learning_rate);
  /// A gradient was beyond float16's range, so the update changed nothing.
  void overflow(const TrainState& state);
  void validation(const TrainState& state, const Validation& found);

  std::chrono::duration<double> time_left(const TrainState& state) const;
  /// Called when metrics.jsonl is there, and after each of its lines.
  std::function<void(const TrainState&)> on_metrics;

 private:
  using Clock = std::chrono::steady_clock;

  bool is_silent() const { return metrics_path_.empty(); }
  double speed() const;  ///< target pieces a second since the last log line
  void append(const TrainState& state, const nlohmann::ordered_json& line);

  std::filesystem::path metrics_path_;
  std::ofstream metrics_;
  EventFile curves_;
  int64_t expected_updates_;
  ProgressLine line_;
  Clock::time_point started_;
  int64_t first_update_ = 0;
  int64_t timed_tokens_ = 0;                      ///< since the last log line of this process
  std::chrono::duration<double> update_time_{0};  ///< for them, validations and saving left out
};

}  // namespace xformer
