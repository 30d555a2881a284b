#include "train/validation_loss.h"

#include <algorithm>

#include "data/batch.h"
#include "runtime/stop_signal.h"
#include "train/label_smoothing.h"

namespace xformer {
namespace {

/// Never holds a row of the vocabulary's size for every token. rows (N, d_model), target (N)
double loss_of_rows(Generator& generator, const torch::Tensor& rows, const torch::Tensor& target,
                    int64_t pad) {
  constexpr int64_t kRowsTogether = 512;
  double loss = 0;
  for (int64_t first = 0; first < rows.size(0); first += kRowsTogether) {
    const int64_t count = std::min(kRowsTogether, rows.size(0) - first);
    const auto log_probs = generator(rows.narrow(0, first, count));  // (count, V)
    loss += negative_log_likelihood(log_probs, target.narrow(0, first, count), pad).item<double>();
  }
  return loss;
}

}  // namespace

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
    loss +=
        loss_of_rows(m->generator, hidden.flatten(0, 1), batch.tgt_y.flatten(), config.tokens.pad);
    tokens += static_cast<double>(batch.ntokens);
  }
  const auto sums = torch::tensor({loss, tokens, stop_requested() ? 1.0 : 0.0}, torch::kFloat64);
  group.sum(sums);
  if (sums[2].item<double>() > 0) return std::nullopt;
  return sums[0].item<double>() / sums[1].item<double>();
}

}  // namespace xformer
