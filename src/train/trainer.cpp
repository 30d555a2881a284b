#include "train/trainer.h"

#include <cmath>

#include "data/batch.h"
#include "runtime/error.h"
#include "runtime/stop_signal.h"
#include "train/noam_schedule.h"

namespace xformer {

Trainer::Trainer(TrainerParts parts, TrainerHooks hooks)
    : parts_(std::move(parts)),
      hooks_(std::move(hooks)),
      backward_(make_backward_pass({parts_.config, parts_.model, parts_.corpus, parts_.device})),
      adam_(named_parameters(*parts_.model)),
      lengths_(pair_lengths(parts_.corpus)) {
  state_.corpus = parts_.corpus_hash;
}

void Trainer::resume(const std::filesystem::path& checkpoint) {
  Checkpoints::load(checkpoint, training());
  if (state_.corpus != parts_.corpus_hash) {
    throw UserError("data.train: its content differs from what " + checkpoint.string() +
                    " was trained on, so its place in the data means nothing; train anew");
  }
}

void Trainer::run() {
  const auto& config = parts_.config.training;
  parts_.log.start(state_);
  while (true) {
    if (due(config.validate_every, state_.last_validation)) validate();
    if (due(config.save_every, state_.last_save) || finished()) save();
    if (finished()) break;
    if (stop_requested()) {
      save();
      break;
    }
    update();
    if (state_.updates % config.log_every == 0) write_log_line();
  }
}

void Trainer::update() {
  const auto start = std::chrono::steady_clock::now();
  UpdateWork work{.update = state_.updates + 1, .micro_batches = next_batches()};
  int64_t sentences = 0;
  for (const auto& batch : work.micro_batches) {
    for (const int64_t i : batch) work.target_tokens += lengths_[i].target;
    sentences += std::ssize(batch);
  }

  parts_.model->train();
  const double loss = backward_->run(work);
  ++state_.updates;
  if (!std::isfinite(loss)) {
    throw RunError("update " + std::to_string(state_.updates) + ": the loss is " +
                   std::to_string(loss) +
                   "; the last checkpoint is kept. Lower training.base_lr, " +
                   "lengthen training.warmup or set training.clip_norm");
  }
  const double clip_norm = parts_.config.training.clip_norm;
  if (clip_norm > 0) torch::nn::utils::clip_grad_norm_(parts_.model->parameters(), clip_norm);
  adam_.step(learning_rate());
  parts_.model->zero_grad();

  state_.sentences += sentences;
  state_.target_tokens += work.target_tokens;
  state_.logged_loss += loss * static_cast<double>(work.target_tokens);
  state_.logged_tokens += work.target_tokens;
  ++state_.logged_updates;
  parts_.log.progress(state_, work.target_tokens, std::chrono::steady_clock::now() - start);
}

std::vector<IndexBatch> Trainer::next_batches() {
  const auto& config = parts_.config.training;
  if (batches_.empty()) {
    batches_ = make_length_batches(lengths_, config.batch_tokens, config.seed, state_.epoch);
  }
  std::vector<IndexBatch> batches;
  const auto count = static_cast<int64_t>(batches_.size());
  while (state_.batches_in_epoch < count && std::ssize(batches) < config.accum_iter) {
    batches.push_back(batches_[state_.batches_in_epoch++]);
  }
  if (state_.batches_in_epoch == count) {
    ++state_.epoch;
    state_.batches_in_epoch = 0;
    batches_.clear();
  }
  return batches;
}

double Trainer::learning_rate() const {
  const auto& config = parts_.config;
  return noam_rate(state_.updates, config.model.d_model, config.training.base_lr,
                   config.training.warmup);
}

bool Trainer::due(int64_t every, int64_t last) const {
  if (state_.updates == last) return false;
  return every > 0 ? state_.updates % every == 0 : at_epoch_start();
}

bool Trainer::finished() const {
  const auto& config = parts_.config.training;
  return state_.epoch >= config.num_epochs ||
         (config.max_updates > 0 && state_.updates >= config.max_updates) ||
         (config.patience > 0 && state_.validations_without_gain >= config.patience);
}

void Trainer::validate() {
  if (!hooks_.validate) return;
  parts_.model->eval();
  const auto validation = hooks_.validate(parts_.model);
  if (!validation) return;
  const bool gained = validation->bleu > state_.best_bleu;
  state_.last_validation = state_.updates;
  state_.validations_without_gain = gained ? 0 : state_.validations_without_gain + 1;
  if (gained) {
    state_.best_bleu = validation->bleu;
    state_.best_update = state_.updates;
    hooks_.keep_best(parts_.model);
  }
  parts_.log.validation(state_, validation->loss, validation->bleu);
}

void Trainer::save() {
  if (state_.updates == state_.last_save) return;
  state_.last_save = state_.updates;
  parts_.checkpoints.save(training());
}

void Trainer::write_log_line() {
  parts_.log.update(state_, learning_rate());
  state_.logged_loss = 0;
  state_.logged_tokens = state_.logged_updates = 0;
}

}  // namespace xformer
