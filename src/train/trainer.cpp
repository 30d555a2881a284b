#include "train/trainer.h"

#include <cmath>

#include "runtime/error.h"
#include "runtime/stop_signal.h"
#include "text/content_hash.h"
#include "text/split_mix.h"
#include "train/generator_loss.h"
#include "train/noam_schedule.h"
#include "train/precision.h"

namespace xformer {
namespace {

std::vector<torch::Tensor> parameters_of(const EncoderDecoder& model) {
  std::vector<torch::Tensor> parameters;
  for (const auto& [name, parameter] : named_parameters(*model)) parameters.push_back(parameter);
  return parameters;
}

std::string hash_of_weights(const EncoderDecoder& model) {
  ContentHash hash;
  for (const auto& parameter : parameters_of(model)) {
    const auto bytes = parameter.detach().cpu().contiguous();
    hash.update({static_cast<const char*>(bytes.const_data_ptr()), bytes.nbytes()});
  }
  return hash.hex();
}

}  // namespace

Trainer::Trainer(TrainerParts parts, TrainerHooks hooks)
    : parts_(std::move(parts)),
      hooks_(std::move(hooks)),
      precision_(resolve_precision(parts_.config.training.precision, parts_.device)),
      adam_(named_parameters(*parts_.model)),
      gradients_(parameters_of(parts_.model), parts_.group) {
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
  auto tensors = parameters_of(parts_.model);
  for (const auto& [name, moment] : moments) tensors.push_back(moment);
  group.broadcast(tensors);
  adam_.load(moments, "process 0");
}

void Trainer::update() {
  const auto start = std::chrono::steady_clock::now();
  const Update update = next_update();
  parts_.model->train();
  gradients_.zero();
  const auto own = own_loss(update);
  gradients_.finish();
  ++state_.updates;
  const double loss = agree_on(own);
  if (!std::isfinite(loss)) {
    throw RunError("update " + std::to_string(state_.updates) + ": the loss is " +
                   std::to_string(loss) +
                   "; the last checkpoint is kept. Lower training.base_lr, " +
                   "lengthen training.warmup or set training.clip_norm");
  }
  const double clip_norm = parts_.config.training.clip_norm;
  if (clip_norm > 0) torch::nn::utils::clip_grad_norm_(parts_.model->parameters(), clip_norm);
  adam_.step(learning_rate());

  pass_over(update);
  state_.logged_loss += loss * static_cast<double>(update.tokens);
  state_.logged_tokens += update.tokens;
  ++state_.logged_updates;
  parts_.log.progress(state_, update.tokens, std::chrono::steady_clock::now() - start);
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

/// Runs this process' share of an update, forward and backward, and returns the share's part of the
/// loss: () float64.
torch::Tensor Trainer::own_loss(const Update& update) {
  const IndexBatches& batches = parts_.batches.of(state_.epoch);
  const ParallelCorpus& corpus = parts_.batches.corpus();
  const int64_t step = parts_.group.size();
  auto loss = torch::zeros({}, torch::dtype(torch::kFloat64).device(parts_.device));
  for (int64_t b = update.first + parts_.group.rank(); b < update.end; b += step) {
    if (b + step >= update.end) gradients_.begin_last();
    draw_dropout_for(b);
    auto batch_loss = loss_of(make_batch(corpus, batches[b], parts_.device), update.tokens);
    batch_loss.backward();
    loss += batch_loss.detach();
  }
  corpus.release();
  return loss;
}

/// The loss of all processes; on the way they agree whether one of them was told to stop.
double Trainer::agree_on(const torch::Tensor& own_loss) {
  const auto stop = torch::full_like(own_loss, stop_requested() ? 1.0 : 0.0);
  const auto sums = torch::stack({own_loss, stop});
  parts_.group.sum(sums);
  const auto agreed = sums.cpu();
  stopped_ = agreed[1].item<double>() > 0;
  return agreed[0].item<double>();
}

/// Makes the random numbers of a micro-batch a function of the seed and its place in the data.
void Trainer::draw_dropout_for(int64_t batch) {
  const auto seed = static_cast<uint64_t>(parts_.config.training.seed);
  SplitMix64 of_epoch(SplitMix64(seed).next() + static_cast<uint64_t>(state_.epoch));
  torch::manual_seed(SplitMix64(of_epoch.next() + static_cast<uint64_t>(batch)).next());
}

void Trainer::pass_over(const Update& update) {
  state_.sentences += update.sentences;
  state_.target_tokens += update.tokens;
  state_.batches_in_epoch = update.end;
  if (update.end < parts_.batches.of(state_.epoch).size()) return;
  ++state_.epoch;
  state_.batches_in_epoch = 0;
}

torch::Tensor Trainer::loss_of(const Batch& batch, int64_t update_tokens) {
  AutocastScope autocast(precision_, parts_.device);
  auto& model = parts_.model;
  auto hidden = model->forward(batch.src, batch.tgt, batch.src_mask, batch.tgt_mask);
  // Only real positions are worth a row of the vocabulary's size.
  auto real = (batch.tgt_y != kPad).flatten().nonzero().squeeze(1);  // (ntokens)
  auto loss = generator_loss(model->generator, hidden.flatten(0, 1).index_select(0, real),
                             batch.tgt_y.flatten().index_select(0, real),
                             parts_.config.training.label_smoothing, kPad);
  return loss / static_cast<double>(update_tokens);
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
  parts_.log.validation(state_, validation->loss, validation->bleu);
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
