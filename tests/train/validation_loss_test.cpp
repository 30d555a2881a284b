#include "train/validation_loss.h"

#include <torch/nn/functional/loss.h>

#include "catch.h"
#include "data/batch.h"
#include "model/tiny_model.h"
#include "text/parallel_corpus.h"

namespace xformer {
namespace {

ParallelCorpus some_pairs() {
  PairTable pairs;
  for (int64_t i = 0; i < 30; ++i) {
    const auto ids = random_words(2, 1 + i % 9, static_cast<uint64_t>(i)).to(torch::kInt32);
    const int32_t* first = ids.const_data_ptr<int32_t>();
    pairs.add({first, first + ids.size(1)}, {first + ids.size(1), first + ids.numel()});
  }
  return ParallelCorpus(std::move(pairs));
}

}  // namespace

// Against torch's own cross-entropy, one pair at a time, so that nothing is padded.
TEST_CASE("validation loss is unsmoothed, and the same however the batches are cut") {
  const auto corpus = some_pairs();
  auto model = tiny_model();
  torch::InferenceMode inference;
  double sum = 0;
  int64_t tokens = 0;
  for (PairIndex i = 0; i < corpus.size(); ++i) {
    const auto batch = make_batch(corpus, std::span(&i, 1), SpecialTokens(), torch::kCPU);
    const auto hidden = model->forward(batch.src, batch.tgt, batch.src_mask, batch.tgt_mask);
    const auto logits =
        torch::nn::functional::linear(hidden[0], model->generator->weight, model->generator->bias);
    sum += torch::nn::functional::cross_entropy(
               logits, batch.tgt_y[0],
               torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
               .item<double>();
    tokens += batch.ntokens;
  }
  const ProcessGroup alone;
  for (const int64_t batch_tokens : {1, 40, 100'000}) {
    Config config;
    config.training.batch_tokens = batch_tokens;
    const auto loss = validation_loss(model, corpus, config, torch::kCPU, alone);
    CHECK(*loss == Approx(sum / static_cast<double>(tokens)).epsilon(1e-6));
  }
}

}  // namespace xformer
