// What a GPU computes, beside the same on the CPU. scripts/check_gpu.sh runs these.
#include "catch.h"
#include "libtorch.h"
#include "model/tiny_model.h"
#include "train/adam.h"
#include "train/backward_pass.h"
#include "train/random_corpus.h"

namespace xformer {
namespace {

bool gpu_is_missing() {
  if (torch::cuda::is_available()) return false;
  WARN("no CUDA device: skipped");
  return true;
}

Config config_without_dropout() {
  Config config;
  config.model = tiny_config();
  config.model.dropout = 0;
  config.training.precision = Precision::kFloat32;
  return config;
}

UpdateWork work_on(const ParallelCorpus& corpus) {
  UpdateWork work{.update = 1, .micro_batches = {{}}};
  for (int64_t i = 0; i < corpus.size(); ++i) {
    work.micro_batches[0].push_back(i);
    work.target_tokens += std::ssize(corpus.target(i)) + 1;
  }
  return work;
}

}  // namespace

TEST_CASE("a GPU gives the loss and the gradient of the CPU", "[cuda]") {
  if (gpu_is_missing()) return;
  const auto corpus = random_corpus(40);
  const auto config = config_without_dropout();
  const auto work = work_on(corpus);
  auto on_cpu = tiny_model(config.model), on_gpu = tiny_model(config.model);
  on_gpu->to(torch::kCUDA);
  const double cpu_loss = make_backward_pass({config, on_cpu, corpus, torch::kCPU})->run(work);
  const double gpu_loss = make_backward_pass({config, on_gpu, corpus, torch::kCUDA})->run(work);
  CHECK(gpu_loss == Approx(cpu_loss).epsilon(1e-4));
  const auto expected = on_cpu->parameters(), found = on_gpu->parameters();
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(found[i].grad().cpu().allclose(expected[i].grad(), 1e-3, 1e-5));
  }
}

TEST_CASE("a GPU learns in 16 bits", "[cuda]") {
  if (gpu_is_missing()) return;
  const auto corpus = random_corpus(40);
  auto config = config_without_dropout();
  config.training.precision = GENERATE(Precision::kBfloat16, Precision::kFloat16);
  auto model = tiny_model(config.model);
  model->to(torch::kCUDA);
  model->train();
  const auto pass = make_backward_pass({config, model, corpus, torch::kCUDA});
  Adam adam(named_parameters(*model));
  const auto work = work_on(corpus);
  const double first = pass->run(work);
  double last = first;
  for (int update = 0; update < 50; ++update) {
    adam.step(1e-3);
    model->zero_grad();
    last = pass->run(work);
  }
  CHECK(last < 0.8 * first);
}

}  // namespace xformer
