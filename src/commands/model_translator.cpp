#include "commands/model_translator.h"

#include "commands/gpu_workers.h"
#include "decode/ensemble_decoder.h"
#include "runtime/error.h"
#include "runtime/processors.h"
#include "storage/model_folder.h"

namespace xformer {
namespace {

using Workers = std::vector<std::unique_ptr<StepDecoder>>;

void require_same_vocabularies(const ModelDescription& model, const ModelDescription& other) {
  if (hashes_of(model.vocabulary) == hashes_of(other.vocabulary)) return;
  throw UserError("--model " + other.folder.string() + " has other vocabularies than " +
                  model.folder.string() + ", the models of an ensemble must have the same");
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

std::vector<ModelDescription> describe_models(std::vector<std::string> folders,
                                              const DecodingOptions& options) {
  if (folders.empty()) folders.push_back(model_folder_or_default(""));
  std::vector<ModelDescription> models;
  for (const auto& folder : folders) {
    models.push_back(read_description(folder));
    translator_options(options, models.back().config);
    require_same_vocabularies(models.front(), models.back());
  }
  return models;
}

ModelTranslator::ModelTranslator(const std::vector<ModelDescription>& models,
                                 const DecodingOptions& decoding, const CommonOptions& common)
    : options(translator_options(decoding, models.front().config)),
      vocabulary_(with_language(models.front().vocabulary, decoding)) {
  const bool on_gpu = runs_on_gpu(common);
  const int64_t threads = threads_or_default(common.threads);
  const auto& search = options.search;
  // An ensemble needs all probabilities, a shortlist has a generator of its own, and where the best
  // piece may be blocked the next ones are wanted too.
  const bool may_block = search.min_length > 0 || search.no_repeat_ngram > 0;
  const bool screens =
      models.size() == 1 && decoding.shortlist.empty() && !search.knows_scores() && !may_block;
  compute_ = decoding.precision +
             (on_gpu ? " on a GPU" : " on " + std::to_string(threads) + " threads of the CPU");
  std::vector<Workers> members;
  for (const auto& model : models) {
    members.push_back(on_gpu ? gpu_workers(model, decoding, common)
                             : engine_workers(model, decoding, screens, threads));
  }
  workers_ = ensembles(std::move(members));
  std::vector<StepDecoder*> workers;
  for (const auto& worker : workers_) workers.push_back(worker.get());
  translator_ = std::make_unique<Translator>(std::move(workers), vocabulary_, options);
}

}  // namespace xformer
