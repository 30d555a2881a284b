#include "commands/model_translator.h"

#include <ATen/Parallel.h>

#include "commands/compute.h"
#include "commands/engine_workers.h"
#include "decode/ensemble_decoder.h"
#include "decode/plain_decoder.h"
#include "runtime/error.h"

namespace xformer {
namespace {

using Workers = std::vector<std::unique_ptr<StepDecoder>>;

/// The plain model works on a GPU, where the device itself is what is parallel: one worker.
Workers plain_workers(const std::string& folder, const DecodingOptions& options,
                      torch::Device device) {
  if (options.precision == "int8") {
    throw UserError(
        "--precision is \"int8\", must be float32, bfloat16 or float16 on a GPU: int8 needs "
        "--device cpu");
  }
  if (!options.shortlist.empty()) throw UserError("--shortlist needs --device cpu");
  const auto loaded = load_model(folder, device);
  auto model = loaded.model;
  if (options.precision == "bfloat16") model->to(torch::kBFloat16);
  if (options.precision == "float16") model->to(torch::kFloat16);
  Workers workers;
  workers.push_back(
      std::make_unique<PlainDecoder>(model, device, decoder_tokens(options, loaded.config)));
  return workers;
}

void require_same_vocabularies(const std::string& folder, const Vocabulary& vocabulary,
                               const std::string& other, const Vocabulary& others) {
  if (vocabulary.source.hash() == others.source.hash() &&
      vocabulary.target.hash() == others.target.hash()) {
    return;
  }
  throw UserError("--model " + other + " has other vocabularies than " + folder +
                  ", the models of an ensemble must have the same");
}

/// Worker i of the ensemble is made of worker i of each model.
Workers ensembles(std::vector<Workers> models) {
  if (models.size() == 1) return std::move(models.front());
  Workers ensembles;
  for (size_t worker = 0; worker < models.front().size(); ++worker) {
    Workers members;
    for (auto& workers : models) members.push_back(std::move(workers[worker]));
    ensembles.push_back(std::make_unique<EnsembleDecoder>(std::move(members)));
  }
  return ensembles;
}

}  // namespace

void check_decoding(const std::vector<std::string>& folders, const DecodingOptions& options) {
  for (const auto& folder : folders) translator_options(options, read_model_config(folder));
}

ModelTranslator::ModelTranslator(const std::vector<std::string>& folders,
                                 const DecodingOptions& decoding, const CommonOptions& common) {
  const auto device = start_compute(common);
  std::vector<Workers> models;
  for (const auto& folder : folders) {
    auto files = open_model(folder);
    if (!vocabulary_) {
      vocabulary_ = with_language(files.vocabulary, decoding);
      options = translator_options(decoding, files.config);
    }
    require_same_vocabularies(folders.front(), *vocabulary_, folder, files.vocabulary);
    models.push_back(device.is_cpu()
                         ? engine_workers(std::move(files), decoding, at::get_num_threads())
                         : plain_workers(folder, decoding, device));
  }
  workers_ = ensembles(std::move(models));
  std::vector<StepDecoder*> workers;
  for (const auto& worker : workers_) workers.push_back(worker.get());
  translator_ = std::make_unique<Translator>(std::move(workers), *vocabulary_, options);
}

}  // namespace xformer
