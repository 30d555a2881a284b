// The training loop.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "config/config.h"
#include "distributed/gradient_buckets.h"
#include "distributed/process_group.h"
#include "libtorch.h"
#include "model/encoder_decoder.h"
#include "text/epoch_batches.h"
#include "train/adam.h"
#include "train/backward_pass.h"
#include "train/checkpoint.h"
#include "train/train_log.h"
#include "train/train_state.h"

namespace xformer {

/// What Trainer leaves to its owner.
struct TrainerHooks {
  /// Judges the model, which is in evaluation mode; nothing when a stop signal cut it short. Every
  /// process calls it, and all get the same answer.
  std::function<std::optional<Validation>(const EncoderDecoder&)> validate;
  /// Called by the first process when the model just judged is the best so far.
  std::function<void(const EncoderDecoder&)> keep_best;
};

/// Where the parts of a training live. All of it outlives the Trainer.
struct TrainerParts {
  const Config& config;
  EncoderDecoder model{nullptr};
  EpochBatches& batches;
  std::string corpus_hash;
  const ProcessGroup& group;
  const Checkpoints& checkpoints;
  TrainLog& log;
  torch::Device device;
};

/// Runs updates until the epochs, the updates or the patience are used up, or a stop signal comes
/// to any of the processes.
///
/// The micro-batches of an update are dealt out to the processes in turn: n processes with
/// accum_iter a take n * a of them. Dropout depends on the micro-batch and the seed, not on the
/// process, so that n processes make the updates that one would make with n times the accum_iter.
class Trainer {
 public:
  Trainer(TrainerParts parts, TrainerHooks hooks);

  /// Goes on from a checkpoint instead of from the start: the first process' part, the others get
  /// everything from it. Throws UserError when it is of another corpus.
  void resume(const std::filesystem::path& checkpoint);
  /// The weights at hand are worth something: they are saved, and judged, before the first update,
  /// so that only a better model becomes the best.
  void begin_with_given_weights() { state_.last_validation = state_.last_save = -1; }
  /// Throws RunError when the loss, or in float16 the unscaled gradient, is no longer finite.
  /// Whatever ends it, the last checkpoint is whole.
  void run();
  /// Whether a stop signal ended run().
  bool stopped() const { return stopped_; }

  const TrainState& state() const { return state_; }

 private:
  /// The micro-batches of one update, all processes together.
  struct Update {
    int64_t first = 0, end = 0;  ///< places in the epoch
    int64_t tokens = 0, sentences = 0;
  };

  void share_training();
  void update();
  Update next_update();
  UpdateWork own_work(const Update& update);
  double agree_on(double own_loss);
  void pass_over(const Update& update);
  void step();
  double learning_rate() const;

  bool at_epoch_start() const { return state_.batches_in_epoch == 0; }
  bool due(int64_t every, int64_t last) const;
  bool finished() const;
  void validate();
  void save();
  void require_same_weights();
  void write_log_line();
  Training training() { return {parts_.model, adam_, state_}; }

  TrainerParts parts_;
  TrainerHooks hooks_;
  const bool scales_loss_;
  std::unique_ptr<BackwardPass> backward_;
  Adam adam_;
  GradientBuckets gradients_;
  TrainState state_;
  bool stopped_ = false;
};

}  // namespace xformer
