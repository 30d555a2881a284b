// Models from disk with everything that translates with them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/common.h"
#include "commands/decoding.h"
#include "decode/translator.h"

namespace xformer {

/// Reads the models' configurations alone. Throws UserError when one is missing or the options do
/// not go with it.
void check_decoding(const std::vector<std::string>& folders, const DecodingOptions& options);

/// On a CPU the packed engine, a worker for each thread; on a GPU the plain model. Several models
/// are an ensemble.
class ModelTranslator {
 public:
  /// Sets up LibTorch first. The configuration of the first model counts. Throws UserError when a
  /// folder holds no whole model, the models' vocabularies differ, or the options do not go
  /// together.
  ModelTranslator(const std::vector<std::string>& folders, const DecodingOptions& options,
                  const CommonOptions& common);
  ModelTranslator(const ModelTranslator&) = delete;
  ModelTranslator& operator=(const ModelTranslator&) = delete;

  Translator& translator() { return *translator_; }
  const Vocabulary& vocabulary() const { return *vocabulary_; }
  TranslatorOptions options;  ///< what the options and the configuration come to

 private:
  std::optional<Vocabulary> vocabulary_;
  std::vector<std::unique_ptr<StepDecoder>> workers_;
  std::unique_ptr<Translator> translator_;
};

}  // namespace xformer
