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

}  // namespace xformer
