#include "train/backward_pass.h"

#include <ATen/Parallel.h>

#include "catch.h"
#include "data/batch.h"
#include "model/foreign_models.h"
#include "train/random_corpus.h"

namespace xformer {
namespace {

/// While it lives, LibTorch has this many threads.
class ThreadCount {
 public:
  explicit ThreadCount(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  ~ThreadCount() { at::set_num_threads(before_); }

 private:
  int before_;
};

struct Outcome {
  double loss;
  std::vector<torch::Tensor> gradients;
};

/// One update of two micro-batches, one of them a single pair.
Outcome one_update(const ParallelCorpus& corpus, const Config& config) {
  UpdateWork work{.update = 3, .micro_batches = {{}, {0}}};
  for (int64_t i = 1; i < corpus.size(); ++i) work.micro_batches[0].push_back(i);
  for (int64_t i = 0; i < corpus.size(); ++i) {
    work.target_tokens += std::ssize(corpus.target(i)) + 1;
  }
  auto model = tiny_model(config.model);
  model->train();
  const auto pass = make_backward_pass({config, model, corpus, torch::kCPU});
  Outcome outcome{.loss = pass->run(work), .gradients = {}};
  for (const auto& parameter : model->parameters()) outcome.gradients.push_back(parameter.grad());
  return outcome;
}

/// The largest gap, relative to the largest gradient. Some, like that of a key's bias, are zero but
/// for rounding, so none can be its own measure.
double difference(const Outcome& a, const Outcome& b) {
  double gap = 0, scale = 0;
  for (size_t i = 0; i < a.gradients.size(); ++i) {
    gap = std::max(gap, (a.gradients[i] - b.gradients[i]).abs().max().item<double>());
    scale = std::max(scale, b.gradients[i].abs().max().item<double>());
  }
  return gap / scale;
}

/// Sums are compared, so products are those of float32 on every processor.
Config exact_config() {
  Config config;
  config.training.precision = Precision::kFloat32;
  return config;
}

Config config_with(Kernels kernels, NormPlacement norm, TieEmbeddings tie, double dropout) {
  auto config = exact_config();
  config.model = tiny_config(norm);
  config.model.dropout = dropout;
  config.model.tie_embeddings = tie;
  config.training.kernels = kernels;
  return config;
}

}  // namespace

TEST_CASE("packed rows on one thread and on two give the gradient of the plain model") {
  const auto corpus = random_corpus(40);
  const auto norm = GENERATE(NormPlacement::kPre, NormPlacement::kPost);
  const auto tie = GENERATE(TieEmbeddings::kAll, TieEmbeddings::kDecoder, TieEmbeddings::kNone);
  const auto plain = one_update(corpus, config_with(Kernels::kPlain, norm, tie, 0));
  for (const int threads : {1, 2, 3}) {
    const ThreadCount count(threads);
    const auto packed = one_update(corpus, config_with(Kernels::kAuto, norm, tie, 0));
    INFO(threads << " threads");
    CHECK(packed.loss == Approx(plain.loss).epsilon(1e-6));
    CHECK(difference(packed, plain) < 1e-5);
  }
}

TEST_CASE("packed rows give the gradient of models from elsewhere") {
  const auto corpus = random_corpus(40);
  for (const auto& [name, model] : foreign_models()) {
    CAPTURE(name);
    auto config = exact_config();
    config.model = model;
    config.model.dropout = 0;
    config.tokens = foreign_tokens();
    config.training.kernels = Kernels::kPlain;
    const auto plain = one_update(corpus, config);
    config.training.kernels = Kernels::kAuto;
    const ThreadCount count(2);
    const auto packed = one_update(corpus, config);
    CHECK(packed.loss == Approx(plain.loss).epsilon(1e-6));
    CHECK(difference(packed, plain) < 1e-5);
  }
}

TEST_CASE("a decoder that starts from padding sees its start") {
  const auto corpus = random_corpus(3);
  const auto tokens = foreign_tokens();
  const IndexBatch pairs = {0, 1, 2};
  const auto batch = make_batch(corpus, pairs, tokens, torch::kCPU);
  CHECK(batch.tgt.select(1, 0).eq(tokens.decoder_start).all().item<bool>());
  CHECK(batch.tgt_mask.select(2, 0).select(1, 0).all().item<bool>());
  CHECK(batch.tgt_mask.any(-1).sum().item<int64_t>() ==
        batch.tgt_mask.size(0) * batch.tgt_mask.size(1));
  CHECK(batch.tgt_y.ne(tokens.pad).sum().item<int64_t>() == batch.ntokens);
}

TEST_CASE("a source without pieces gives finite numbers and leaves the other pairs alone") {
  const auto kernels = GENERATE(Kernels::kAuto, Kernels::kPlain);
  const auto config = config_with(kernels, NormPlacement::kPre, TieEmbeddings::kAll, 0);
  const std::vector<int32_t> words = {5, 7, 6}, none;
  auto mean_loss = [&](const std::vector<int32_t>& first, const std::vector<int32_t>& second) {
    PairTable table;
    table.add(first, words);
    table.add(second, words);
    const auto outcome = one_update(ParallelCorpus(std::move(table)), config);
    for (const auto& gradient : outcome.gradients) CHECK(gradient.isfinite().all().item<bool>());
    return outcome.loss;
  };
  const double empty = mean_loss(none, none), full = mean_loss(words, words);
  CHECK(std::isfinite(empty));
  CHECK(mean_loss(none, words) == Approx((empty + full) / 2).epsilon(1e-6));
}

TEST_CASE("any number of threads draws the same dropout") {
  const auto corpus = random_corpus(40);
  const auto config =
      config_with(Kernels::kAuto, NormPlacement::kPre, TieEmbeddings::kAll, /*dropout=*/0.3);
  const auto alone = [&] {
    const ThreadCount count(1);
    return one_update(corpus, config);
  }();
  for (const int threads : {2, 3}) {
    const ThreadCount count(threads);
    const auto shared = one_update(corpus, config);
    INFO(threads << " threads");
    CHECK(shared.loss == Approx(alone.loss).epsilon(1e-6));
    CHECK(difference(shared, alone) < 1e-5);
  }
}

TEST_CASE("with dropout, the same number of threads gives the same bits again") {
  const auto corpus = random_corpus(40);
  auto config =
      config_with(Kernels::kAuto, NormPlacement::kPre, TieEmbeddings::kAll, /*dropout=*/0.3);
  config.training.precision = GENERATE(Precision::kFloat32, Precision::kBfloat16);
  const ThreadCount count(GENERATE(1, 2));
  const auto once = one_update(corpus, config), again = one_update(corpus, config);
  CHECK(once.loss == again.loss);
  CHECK(difference(once, again) == 0);
}

TEST_CASE("products of 16 bits give nearly the gradient of float32") {
  const auto corpus = random_corpus(40);
  auto config = config_with(GENERATE(Kernels::kAuto, Kernels::kPlain), NormPlacement::kPre,
                            TieEmbeddings::kAll, 0);
  const auto single = one_update(corpus, config);
  config.training.precision = GENERATE(Precision::kBfloat16, Precision::kFloat16);
  const auto brief = one_update(corpus, config);
  CHECK(brief.loss == Approx(single.loss).epsilon(1e-2));
  CHECK(difference(brief, single) < 0.03);
  CHECK(difference(brief, single) > 0);
}

}  // namespace xformer
