#include "train/backward_pass.h"

#include "data/batch.h"
#include "kernels/dropout_stream.h"
#include "train/generator_loss.h"
#include "train/packed_backward_pass.h"
#include "train/precision.h"

namespace xformer {
namespace {

/// The plain model, one padded micro-batch after the other.
class PaddedBackwardPass : public BackwardPass {
 public:
  explicit PaddedBackwardPass(const BackwardParts& parts)
      : parts_(parts),
        precision_(resolve_precision(parts.config.training.precision, parts.device)) {}

  double run(const UpdateWork& work) override {
    std::vector<torch::Tensor> losses;
    for (int64_t i = 0; i < std::ssize(work.micro_batches); ++i) {
      start_dropout_stream({.seed = static_cast<uint64_t>(parts_.config.training.seed),
                            .update = work.update,
                            .part = work.part(i)});
      auto batch_loss =
          loss_of(batch_of(work.micro_batches[i])) / static_cast<double>(work.target_tokens);
      if (work.is_last(i)) work.before_last_pass();
      (batch_loss * work.loss_scale).backward();
      losses.push_back(batch_loss.detach());
    }
    return losses.empty() ? 0 : torch::stack(losses).sum(torch::kFloat64).item<double>();
  }

 private:
  Batch batch_of(const IndexBatch& pairs) const {
    return make_batch(parts_.corpus, pairs, parts_.config.tokens, parts_.device);
  }
  torch::Tensor loss_of(const Batch& batch) {
    const AutocastScope autocast(precision_, parts_.device);
    auto& model = parts_.model;
    auto hidden = model->forward(batch.src, batch.tgt, batch.src_mask, batch.tgt_mask);
    // Only real positions are worth a row of the vocabulary's size.
    const int64_t pad = parts_.config.tokens.pad;
    auto real = (batch.tgt_y != pad).flatten().nonzero().squeeze(1);  // (ntokens)
    return generator_loss(model->generator, hidden.flatten(0, 1).index_select(0, real),
                          batch.tgt_y.flatten().index_select(0, real),
                          parts_.config.training.label_smoothing, pad);
  }

  BackwardParts parts_;
  Precision precision_;
};

}  // namespace

std::unique_ptr<BackwardPass> make_backward_pass(const BackwardParts& parts) {
  const bool packed = parts.device.is_cpu() && parts.config.training.kernels == Kernels::kAuto;
  if (packed) return std::make_unique<PackedBackwardPass>(parts);
  return std::make_unique<PaddedBackwardPass>(parts);
}

}  // namespace xformer
