// Models from disk with everything that translates with them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "commands/common.h"
#include "commands/decoding.h"
#include "commands/engine_workers.h"
#include "decode/translator.h"

namespace xformer {

/// What the named folders hold beside their weights; no name: $XFORMER_MODEL, else ./model. Throws
/// UserError when one holds no model, their vocabularies differ, or the options do not go with
/// them.
std::vector<ModelDescription> describe_models(std::vector<std::string> folders,
                                              const DecodingOptions& options);

/// On a CPU the packed engine, a worker for each thread; on a GPU the plain model. Several models
/// are an ensemble.
class ModelTranslator {
 public:
  /// The configuration of the first model counts. Throws UserError when a folder holds no whole
  /// model, or the options do not go with the device.
  ModelTranslator(const std::vector<ModelDescription>& models, const DecodingOptions& options,
                  const CommonOptions& common);
  ModelTranslator(const ModelTranslator&) = delete;
  ModelTranslator& operator=(const ModelTranslator&) = delete;

  Translator& translator() { return *translator_; }
  /// What translates: "float32 on 2 threads of the CPU".
  const std::string& compute() const { return compute_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const TranslatorOptions options;  ///< what the options and the configuration come to

 private:
  Vocabulary vocabulary_;
  std::string compute_;
  std::vector<std::unique_ptr<StepDecoder>> workers_;
  std::unique_ptr<Translator> translator_;
};

}  // namespace xformer
