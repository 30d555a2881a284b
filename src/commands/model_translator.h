// A model from disk with everything that translates with it.
#pragma once

#include <string>

#include "commands/decoding.h"
#include "decode/plain_decoder.h"
#include "decode/translator.h"
#include "formats/model_folder.h"
#include "libtorch.h"

namespace xformer {

class ModelTranslator {
 public:
  /// Throws UserError when the folder holds no whole model, or the options do not go together.
  ModelTranslator(const std::string& folder, const DecodingOptions& options, int64_t n_best,
                  torch::Device device);
  ModelTranslator(const ModelTranslator&) = delete;
  ModelTranslator& operator=(const ModelTranslator&) = delete;

  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const std::function<void(int64_t)>& on_lines) {
    return translator_.translate(lines, on_lines);
  }
  const TranslatorOptions& options() const { return options_; }

 private:
  LoadedModel loaded_;
  TranslatorOptions options_;
  PlainDecoder decoder_;
  Translator translator_;
};

}  // namespace xformer
