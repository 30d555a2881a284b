#include "train/validation_loss.h"

#include "data/batch.h"
#include "runtime/stop_signal.h"
#include "train/label_smoothing.h"

namespace xformer {

std::optional<double> validation_loss(const EncoderDecoder& model, const ParallelCorpus& corpus,
                                      int64_t batch_tokens, torch::Device device) {
  torch::InferenceMode inference;
  EncoderDecoder m = model;
  double sum = 0;
  int64_t tokens = 0;
  for (const auto& indices : make_sorted_batches(pair_lengths(corpus), batch_tokens)) {
    if (stop_requested()) return std::nullopt;
    const auto batch = make_batch(corpus, indices, device);
    auto hidden = m->forward(batch.src, batch.tgt, batch.src_mask, batch.tgt_mask);
    auto log_probs = m->generator(hidden);  // (B, T, V)
    sum += negative_log_likelihood(log_probs, batch.tgt_y, kPad).item<double>();
    tokens += batch.ntokens;
  }
  return sum / static_cast<double>(tokens);
}

}  // namespace xformer
