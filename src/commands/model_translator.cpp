#include "commands/model_translator.h"

namespace xformer {

ModelTranslator::ModelTranslator(const std::string& folder, const DecodingOptions& options,
                                 int64_t n_best, torch::Device device)
    : loaded_(load_model(folder, device)),
      options_(translator_options(options, loaded_.config, n_best)),
      decoder_(loaded_.model, device,
               options.allow_unknown ? UnknownWords::kAllowed : UnknownWords::kForbidden),
      translator_(decoder_, loaded_.vocabulary, options_) {}

}  // namespace xformer
