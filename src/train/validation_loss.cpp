#include "train/validation_loss.h"

#include "data/batch.h"
#include "runtime/stop_signal.h"
#include "train/label_smoothing.h"

namespace xformer {

std::optional<double> validation_loss(const EncoderDecoder& model, const ParallelCorpus& corpus,
                                      const Config& config, torch::Device device,
                                      const ProcessGroup& group) {
  torch::InferenceMode inference;
  EncoderDecoder m = model;
  double loss = 0, tokens = 0;
  const auto batches = make_sorted_batches(pair_lengths(corpus), config.training.batch_tokens);
  for (int64_t b = group.rank(); b < batches.size() && !stop_requested(); b += group.size()) {
    const auto batch = make_batch(corpus, batches[b], config.tokens, device);
    auto hidden = m->forward(batch.src, batch.tgt, batch.src_mask, batch.tgt_mask);
    auto log_probs = m->generator(hidden);  // (B, T, V)
    loss += negative_log_likelihood(log_probs, batch.tgt_y, config.tokens.pad).item<double>();
    tokens += static_cast<double>(batch.ntokens);
  }
  const auto sums = torch::tensor({loss, tokens, stop_requested() ? 1.0 : 0.0}, torch::kFloat64);
  group.sum(sums);
  if (sums[2].item<double>() > 0) return std::nullopt;
  return sums[0].item<double>() / sums[1].item<double>();
}

}  // namespace xformer
