#include "train/trainer.h"

#include <cmath>

#include "runtime/error.h"
#include "runtime/stop_signal.h"
#include "text/content_hash.h"
#include "train/noam_schedule.h"
#include "train/precision.h"

namespace xformer {
namespace {

std::string hash_of_weights(const EncoderDecoder& model) {
  ContentHash hash;
  for (const auto& parameter : model->parameters()) {
    const auto bytes = parameter.detach().cpu().contiguous();
    hash.update({static_cast<const char*>(bytes.const_data_ptr()), bytes.nbytes()});
  }
  return hash.hex();
}

/// Divides gradients by `factor`, and tells whether they are finite.
bool unscale_gradients(const std::vector<torch::Tensor>& parameters, double factor) {
  std::vector<torch::Tensor> gradients;
  for (const auto& parameter : parameters) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  if (gradients.empty()) return true;
  const auto options = gradients.front().options();
  auto overflowed = torch::zeros({}, options);
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, overflowed,
                                                 torch::full({}, 1 / factor, options));
  return overflowed.item<float>() == 0;
}

}  // namespace

Trainer::Trainer(TrainerParts parts, TrainerHooks hooks)
    : parts_(std::move(parts)),
      hooks_(std::move(hooks)),
      scales_loss_(resolve_precision(parts_.config.training.precision, parts_.device) ==
                   Precision::kFloat16),
      backward_(make_backward_pass(
          {parts_.config, parts_.model, parts_.batches.corpus(), parts_.device})),
      adam_(named_parameters(*parts_.model)),
      gradients_(parts_.model->parameters(), parts_.group) {
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
  share_training();
  parts_.log.start(state_);
  // Given weights are safe before a validation that takes long.
  if (state_.last_save < 0) save();
  while (true) {
    if (due(config.validate_every, state_.last_validation)) validate();
    const bool last = stopped_ || finished();
    if (last || due(config.save_every, state_.last_save)) save();
    if (last) break;
    update();
    if (state_.updates % config.log_every == 0) write_log_line();
  }
}

/// Whatever the first process begins with, the others begin with too.
void Trainer::share_training() {
  const ProcessGroup& group = parts_.group;
  if (group.size() == 1) return;
  state_ = parse_train_state(group.broadcast(to_json(state_)), "process 0");
  std::map<std::string, torch::Tensor> moments;
  adam_.save(moments);
  auto tensors = parts_.model->parameters();
  for (const auto& [name, moment] : moments) tensors.push_back(moment);
  group.broadcast(tensors);
  adam_.load(moments, "process 0");
}

void Trainer::update() {
  const auto start = std::chrono::steady_clock::now();
  const Update update = next_update();
  parts_.model->train();
  gradients_.zero();
  const double own_loss = backward_->run(own_work(update));
  gradients_.finish();
  parts_.batches.corpus().release();
  ++state_.updates;
  const double loss = agree_on(own_loss);
  if (!std::isfinite(loss)) {
    throw RunError("update " + std::to_string(state_.updates) + ": the loss is " +
                   std::to_string(loss) +
                   "; the last checkpoint is kept. Lower training.base_lr, " +
                   "lengthen training.warmup or set training.clip_norm" +
                   (scales_loss_ ? ", or training.precision to \"bfloat16\"" : ""));
  }
  step();

  pass_over(update);
  state_.logged_loss += loss * static_cast<double>(update.tokens);
  state_.logged_tokens += update.tokens;
  ++state_.logged_updates;
  parts_.log.progress(state_, update.tokens, std::chrono::steady_clock::now() - start);
}

/// Changes the weights, unless a gradient overflowed for its scale.
void Trainer::step() {
  if (scales_loss_) {
    LossScale& scale = state_.loss_scale;
    const bool overflowed = !unscale_gradients(parts_.model->parameters(), scale.factor);
    scale.adapt(overflowed);
    if (scale.factor < 1) {
      throw RunError("update " + std::to_string(state_.updates) +
                     ": a gradient is beyond float16's range even unscaled; the last checkpoint " +
                     "is kept. Set training.precision to \"bfloat16\" or \"float32\"");
    }
    if (overflowed) return parts_.log.overflow(state_);
  }
  const double clip_norm = parts_.config.training.clip_norm;
  if (clip_norm > 0) torch::nn::utils::clip_grad_norm_(parts_.model->parameters(), clip_norm);
  adam_.step(learning_rate());
}

/// The last update of an epoch takes what is left of it.
Trainer::Update Trainer::next_update() {
  const IndexBatches& batches = parts_.batches.of(state_.epoch);
  const int64_t all = parts_.group.size() * parts_.config.training.accum_iter;
  Update update{.first = state_.batches_in_epoch, .end = state_.batches_in_epoch};
  for (; update.end < batches.size() && update.end - update.first < all; ++update.end) {
    update.tokens += batches.target_pieces(update.end, parts_.batches.lengths());
    update.sentences += static_cast<int64_t>(batches[update.end].size());
  }
  return update;
}

/// This process' share of an update.
UpdateWork Trainer::own_work(const Update& update) {
  const IndexBatches& batches = parts_.batches.of(state_.epoch);
  const int64_t rank = parts_.group.rank(), size = parts_.group.size();
  UpdateWork work{.update = state_.updates + 1,
                  .micro_batches = {},
                  .first_part = rank,
                  .part_step = size,
                  .target_tokens = update.tokens,
                  .loss_scale = scales_loss_ ? state_.loss_scale.factor : 1,
                  .before_last_pass = [this] { gradients_.begin_last(); }};
  for (int64_t b = update.first + rank; b < update.end; b += size) {
    work.micro_batches.emplace_back(batches[b].begin(), batches[b].end());
  }
  return work;
}

/// The loss of all processes; on the way they agree whether one of them was told to stop.
double Trainer::agree_on(double own_loss) {
  const auto sums = torch::tensor({own_loss, stop_requested() ? 1.0 : 0.0}, torch::kFloat64);
  parts_.group.sum(sums);
  stopped_ = sums[1].item<double>() > 0;
  return sums[0].item<double>();
}

void Trainer::pass_over(const Update& update) {
  state_.sentences += update.sentences;
  state_.target_tokens += update.tokens;
  state_.batches_in_epoch = update.end;
  if (update.end < parts_.batches.of(state_.epoch).size()) return;
  ++state_.epoch;
  state_.batches_in_epoch = 0;
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
  if (!validation) {
    stopped_ = true;
    return;
  }
  const bool gained = validation->bleu > state_.best_bleu;
  state_.last_validation = state_.updates;
  state_.validations_without_gain = gained ? 0 : state_.validations_without_gain + 1;
  if (gained) {
    state_.best_bleu = validation->bleu;
    state_.best_update = state_.updates;
    if (parts_.group.is_first()) hooks_.keep_best(parts_.model);
  }
  parts_.log.validation(state_, *validation);
}

void Trainer::save() {
  if (state_.updates == state_.last_save) return;
  state_.last_save = state_.updates;
  require_same_weights();
  if (parts_.group.is_first()) parts_.checkpoints.save(training());
}

/// Processes whose weights have drifted apart would train nothing that anyone asked for.
void Trainer::require_same_weights() {
  if (parts_.group.size() == 1) return;
  const auto hashes = parts_.group.gather(hash_of_weights(parts_.model));
  for (size_t r = 1; r < hashes.size(); ++r) {
    if (hashes[r] == hashes[0]) continue;
    throw RunError("update " + std::to_string(state_.updates) + ": the weights of process " +
                   std::to_string(r) +
                   " differ from those of process 0; the last checkpoint is "
                   "kept. Is the hardware sound, and the same program on every host?");
  }
}

void Trainer::write_log_line() {
  parts_.log.update(state_, learning_rate());
  state_.logged_loss = 0;
  state_.logged_tokens = state_.logged_updates = 0;
}

}  // namespace xformer
