#include "train/packed_backward_pass.h"

#include <ATen/Parallel.h>

#include "kernels/dropout_stream.h"
#include "train/generator_loss.h"
#include "train/packed_model.h"

namespace xformer {
namespace {

/// While it lives, the calling thread's operations are not split over threads.
class SingleThreadedOperations {
 public:
  SingleThreadedOperations() : threads_(at::get_num_threads()) { at::set_num_threads(1); }
  ~SingleThreadedOperations() { at::set_num_threads(threads_); }
  SingleThreadedOperations(const SingleThreadedOperations&) = delete;
  SingleThreadedOperations& operator=(const SingleThreadedOperations&) = delete;

 private:
  int threads_;
};

/// A model with the same weights, in the same memory.
EncoderDecoder replica_of(EncoderDecoder& model) {
  EncoderDecoder replica(model->config, VocabularySizes{model->src_embed->lut->weight.size(0),
                                                        model->tgt_embed->lut->weight.size(0)});
  auto own = replica->named_parameters();
  for (auto& item : model->named_parameters()) own[item.key()].set_data(item.value().data());
  return replica;
}

std::vector<EncoderDecoder> replicas_of(EncoderDecoder& model, int64_t count) {
  std::vector<EncoderDecoder> replicas{model};
  while (std::ssize(replicas) < count) replicas.push_back(replica_of(model));
  return replicas;
}

}  // namespace

PackedBackwardPass::PackedBackwardPass(const BackwardParts& parts)
    : parts_(parts),
      precision_(resolve_precision(parts.config.training.precision, parts.device)),
      replicas_(replicas_of(parts_.model, at::get_num_threads())),
      team_(std::ssize(replicas_)) {}

double PackedBackwardPass::run(const UpdateWork& work) {
  const SingleThreadedOperations single_threaded;
  const auto members = std::ssize(replicas_);
  std::vector<std::vector<BatchShare>> shares;
  for (const auto& indices : work.micro_batches) {
    shares.push_back(shares_of(parts_.corpus, indices, members));
  }
  std::vector<double> losses(replicas_.size());
  team_.run([&](int64_t member) { losses[member] = run_share(work, shares, member); });
  team_.run([&](int64_t member) { add_gradients(member); });
  double loss = 0;
  for (const double share : losses) loss += share;
  return loss;
}

double PackedBackwardPass::run_share(const UpdateWork& work,
                                     const std::vector<std::vector<BatchShare>>& shares,
                                     int64_t member) {
  const auto& config = parts_.config;
  auto& model = replicas_[member];
  model->train();
  double sum = 0;
  for (int64_t i = 0; i < std::ssize(work.micro_batches); ++i) {
    const auto& indices = work.micro_batches[i];
    const auto share = shares[i][member];
    if (share.begin == share.end) continue;
    start_dropout_stream({.seed = static_cast<uint64_t>(config.training.seed),
                          .update = work.update,
                          .part = work.part(i)});
    const auto batch = make_packed_batch(parts_.corpus, indices, share, config);
    torch::Tensor loss;
    {
      const AutocastScope autocast(precision_, parts_.device);
      loss = generator_loss(model->generator, packed_forward(model, batch), batch.tgt_y,
                            config.training.label_smoothing, config.tokens.pad);
    }
    loss = loss / static_cast<double>(work.target_tokens);
    if (replicas_.size() == 1 && work.is_last(i)) work.before_last_pass();
    (loss * work.loss_scale).backward();
    sum += loss.item<double>();
  }
  return sum;
}

/// Adds the replicas' gradients of this member's parameters to the model's.
void PackedBackwardPass::add_gradients(int64_t member) {
  const torch::NoGradGuard no_grad;
  const auto members = std::ssize(replicas_);
  for (int64_t r = 1; r < members; ++r) {
    const auto from = replicas_[r]->parameters(), to = parts_.model->parameters();
    for (int64_t p = member; p < std::ssize(to); p += members) {
      auto& gradient = from[p].mutable_grad();
      if (!gradient.defined()) continue;
      if (to[p].grad().defined()) {
        to[p].mutable_grad().add_(gradient);
      } else {
        to[p].mutable_grad() = gradient;
      }
      gradient.reset();
    }
  }
}

}  // namespace xformer
