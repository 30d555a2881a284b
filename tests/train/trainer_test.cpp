#include "train/trainer.h"

#include "catch.h"
#include "formats/safetensors.h"
#include "model/tiny_model.h"
#include "temporary_folder.h"
#include "train/difference.h"
#include "train/random_corpus.h"

namespace xformer {
namespace {

constexpr int64_t kPairs = 60;

Config small_config() {
  Config config;
  config.model = tiny_config();
  config.model.dropout = 0;
  config.training.precision = Precision::kFloat32;
  config.training.num_epochs = 1;
  config.training.log_every = 1000;
  return config;
}

struct Result {
  TrainState state;
  std::map<std::string, torch::Tensor> checkpoint;
};

Result train(const Config& config, const ParallelCorpus& corpus, TrainerHooks hooks = {},
             bool given_weights = false) {
  TemporaryFolder folder;
  Checkpoints checkpoints(folder.path(), 5);
  TrainLog log(folder.path() / "training" / "metrics.jsonl", 10);
  auto model = make_model(config.model, {kTinyVocabulary, kTinyVocabulary}, 1);
  EpochBatches batches(corpus, config.training.batch_tokens, config.training.seed);
  const ProcessGroup alone;
  Trainer trainer({config, model, batches, "hash", alone, checkpoints, log, torch::kCPU}, hooks);
  if (given_weights) trainer.begin_with_given_weights();
  trainer.run();
  return {trainer.state(), read_safetensors(*checkpoints.newest()).tensors};
}

/// Trains on from a checkpoint that has nothing but this scale.
TrainState train_with(const Config& config, const LossScale& scale) {
  TemporaryFolder folder;
  Checkpoints checkpoints(folder.path(), 5);
  TrainLog log({}, 10);
  auto model = make_model(config.model, {kTinyVocabulary, kTinyVocabulary}, 1);
  Adam adam(named_parameters(*model));
  TrainState state{.corpus = "hash", .loss_scale = scale};
  checkpoints.save({model, adam, state});
  const auto corpus = random_corpus(kPairs);
  EpochBatches batches(corpus, config.training.batch_tokens, config.training.seed);
  const ProcessGroup alone;
  Trainer trainer({config, model, batches, "hash", alone, checkpoints, log, torch::kCPU}, {});
  trainer.resume(*checkpoints.newest());
  trainer.run();
  const auto before = make_model(config.model, {kTinyVocabulary, kTinyVocabulary}, 1);
  const bool unchanged = torch::equal(model->generator->weight, before->generator->weight);
  CHECK(unchanged == (trainer.state().loss_scale.factor < scale.factor));
  return trainer.state();
}

}  // namespace

TEST_CASE("accumulated micro-batches of unequal size give the gradient of one big batch") {
  const auto corpus = random_corpus(kPairs);
  auto config = small_config();
  config.training.batch_tokens = 100'000;
  const auto whole = train(config, corpus);
  config.training.batch_tokens = 40;
  config.training.accum_iter = 1000;
  const auto accumulated = train(config, corpus);
  REQUIRE(whole.state.updates == 1);
  REQUIRE(accumulated.state.updates == 1);
  // After one update the first moment is a tenth of the gradient.
  for (const auto& [name, moment] : whole.checkpoint) {
    if (!name.starts_with("first_moment.")) continue;
    INFO(name);
    const double scale = moment.abs().max().item<double>();
    CHECK(difference(moment, accumulated.checkpoint.at(name)) < 1e-5 * scale + 1e-9);
  }
  CHECK(whole.state.logged_loss == Approx(accumulated.state.logged_loss).epsilon(1e-5));
}

TEST_CASE("an epoch sees every pair once") {
  const auto corpus = random_corpus(kPairs);
  auto config = small_config();
  config.training.batch_tokens = 50;
  config.training.accum_iter = 3;
  config.training.num_epochs = 2;
  const auto result = train(config, corpus);
  int64_t tokens = 0;
  for (int64_t i = 0; i < corpus.size(); ++i) tokens += std::ssize(corpus.target(i)) + 1;
  CHECK(result.state.sentences == 2 * kPairs);
  CHECK(result.state.target_tokens == 2 * tokens);
  CHECK(result.state.epoch == 2);
}

TEST_CASE("validation comes when it is due, and the best model is handed over") {
  const auto corpus = random_corpus(kPairs);
  auto config = small_config();
  config.training.batch_tokens = 50;
  config.training.num_epochs = 3;
  std::vector<double> bleu = {5, 3, 9};
  size_t asked = 0, kept = 0;
  const auto result =
      train(config, corpus,
            {.validate =
                 [&](const EncoderDecoder& model) {
                   CHECK_FALSE(model->is_training());
                   return std::optional(Validation{.loss = 1, .bleu = bleu[asked++]});
                 },
             .keep_best = [&](const EncoderDecoder&) { ++kept; }});
  CHECK(asked == 3);
  CHECK(kept == 2);
  CHECK(result.state.best_bleu == 9);
  CHECK(result.state.validations_without_gain == 0);
}

TEST_CASE("a validation that was cut short ends the training and is not counted as done") {
  auto config = small_config();
  config.training.batch_tokens = 50;
  config.training.validate_every = 2;
  const auto result = train(
      config, random_corpus(kPairs),
      {.validate = [](const EncoderDecoder&) -> std::optional<Validation> { return std::nullopt; },
       .keep_best = {}});
  CHECK(result.state.last_validation == 0);
  CHECK(result.state.updates == 2);
  CHECK(result.state.last_save == 2);
}

TEST_CASE("given weights are judged and saved before the first update") {
  auto config = small_config();
  config.training.batch_tokens = 50;
  config.training.max_updates = 1;
  std::vector<double> bleu = {7, 3};
  size_t asked = 0, kept = 0;
  const auto result =
      train(config, random_corpus(kPairs),
            {.validate =
                 [&](const EncoderDecoder&) {
                   return std::optional(Validation{.loss = 1, .bleu = bleu[asked++]});
                 },
             .keep_best = [&](const EncoderDecoder&) { ++kept; }},
            /*given_weights=*/true);
  CHECK(asked == 1);
  CHECK(kept == 1);
  CHECK(result.state.best_update == 0);
  CHECK(result.state.best_bleu == 7);
}

TEST_CASE("the loss scale moves as torch.amp.GradScaler's") {
  // Recorded from torch 2.13.0: scales after 1, 1,999 and 2,000 finite updates, one that overflows,
  // 1,999 finite ones, another overflow, 2,000 finite ones.
  LossScale scale;
  std::vector<double> scales;
  const auto after = [&](int64_t updates, bool overflowed) {
    for (int64_t i = 0; i < updates; ++i) scale.adapt(overflowed);
    scales.push_back(scale.factor);
  };
  after(1, false);
  after(1998, false);
  after(1, false);
  after(1, true);
  after(1999, false);
  after(1, true);
  after(2000, false);
  CHECK(scales == std::vector<double>{65536, 65536, 131072, 65536, 65536, 32768, 65536});
}

TEST_CASE("in float16 an update whose gradient overflows changes nothing but the scale") {
  auto config = small_config();
  config.training.batch_tokens = 50;
  config.training.max_updates = 3;
  config.training.precision = Precision::kFloat16;
  const auto overflowed = train_with(config, {.factor = 1e30});
  CHECK(overflowed.loss_scale.factor == Approx(1e30 / 8));
  CHECK(overflowed.updates == 3);
  const auto finite = train_with(config, {.updates_without_overflow = 5});
  CHECK(finite.loss_scale.factor == 65536);
  CHECK(finite.loss_scale.updates_without_overflow == 8);
}

TEST_CASE("a scaled loss gives the weights of an unscaled one") {
  const auto corpus = random_corpus(kPairs);
  auto config = small_config();
  config.training.batch_tokens = 50;
  config.training.clip_norm = 0.5;
  const auto single = train(config, corpus);
  config.training.precision = Precision::kFloat16;
  const auto brief = train(config, corpus);
  CHECK(brief.state.updates == single.state.updates);
  CHECK(brief.state.loss_scale.updates_without_overflow == brief.state.updates);
  CHECK(brief.state.logged_loss == Approx(single.state.logged_loss).epsilon(1e-3));
  const std::string moment = "first_moment.generator.bias";
  const auto expected = single.checkpoint.at(moment), found = brief.checkpoint.at(moment);
  CHECK(difference(found, expected) < 0.02 * expected.abs().max().item<double>());
}

}  // namespace xformer
