// The training loop.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "config/config.h"
#include "libtorch.h"
#include "model/encoder_decoder.h"
#include "train/adam.h"
#include "train/backward_pass.h"
#include "train/checkpoint.h"
#include "train/train_log.h"
#include "train/train_state.h"

namespace xformer {

/// What a validation found.
struct Validation {
  double loss = 0;  ///< unsmoothed, nats a target piece
  double bleu = 0;
};

/// What Trainer leaves to its owner.
struct TrainerHooks {
  /// Judges the model, which is in evaluation mode; nothing when a stop signal cut it short.
  std::function<std::optional<Validation>(const EncoderDecoder&)> validate;
  /// Called when the model just judged is the best so far.
  std::function<void(const EncoderDecoder&)> keep_best;
};

/// Where the parts of a training live. All of it outlives the Trainer.
struct TrainerParts {
  const Config& config;
  EncoderDecoder model{nullptr};
  const ParallelCorpus& corpus;
  std::string corpus_hash;
  const Checkpoints& checkpoints;
  TrainLog& log;
  torch::Device device;
};

/// Runs updates until the epochs, the updates or the patience are used up, or a stop signal comes.
class Trainer {
 public:
  Trainer(TrainerParts parts, TrainerHooks hooks);

  /// Goes on from a checkpoint instead of from the start. Throws UserError when it is of another
  /// corpus.
  void resume(const std::filesystem::path& checkpoint);
  /// Throws RunError when the loss is no longer finite. Whatever ends it, the last checkpoint is
  /// whole.
  void run();

  const TrainState& state() const { return state_; }

 private:
  void update();
  /// The micro-batches of the next update.
  std::vector<IndexBatch> next_batches();
  double learning_rate() const;

  bool at_epoch_start() const { return state_.batches_in_epoch == 0; }
  bool due(int64_t every, int64_t last) const;
  bool finished() const;
  void validate();
  void save();
  void write_log_line();
  Training training() { return {parts_.model, adam_, state_}; }

  TrainerParts parts_;
  TrainerHooks hooks_;
  std::unique_ptr<BackwardPass> backward_;
  Adam adam_;
  TrainState state_;
  std::vector<PairLength> lengths_;
  std::vector<IndexBatch> batches_;  ///< of the running epoch
};

}  // namespace xformer
