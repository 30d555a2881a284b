// How far a training has come: everything that resume needs besides tensors.
#pragma once

#include <cstdint>
#include <string>

#include "train/loss_scale.h"

namespace xformer {

struct TrainState {
  std::string corpus;  ///< hash of the training text, which gives the order of data its meaning
  int64_t updates = 0;
  int64_t epoch = 0;             ///< the running one, from 0
  int64_t batches_in_epoch = 0;  ///< micro-batches of the running epoch already used
  int64_t sentences = 0, target_tokens = 0;

  int64_t last_validation = 0, last_save = 0;  ///< in updates
  double best_bleu = -1;
  int64_t best_update = 0;
  int64_t validations_without_gain = 0;
  LossScale loss_scale;  ///< of a training in float16

  // Sums since the last log line.
  double logged_loss = 0;
  int64_t logged_tokens = 0, logged_updates = 0;
};

std::string to_json(const TrainState& state);
/// Throws UserError naming `origin` when a number is missing.
TrainState parse_train_state(const std::string& json, const std::string& origin);

}  // namespace xformer
