#include "commands/engine_workers.h"

#include "engine/packed_decoder.h"
#include "engine/tensor_weights.h"
#include "formats/shortlist_file.h"
#include "runtime/error.h"

namespace xformer {

std::vector<std::unique_ptr<StepDecoder>> engine_workers(ModelFiles files,
                                                         const DecodingOptions& options,
                                                         int64_t count) {
  if (options.precision != "float32" && options.precision != "int8") {
    throw UserError("--precision is \"" + options.precision +
                    "\", must be float32 or int8 on a CPU");
  }
  const EngineTarget target{.weights = options.precision == "int8" ? WeightType::kInt8
                                                                   : WeightType::kFloat32};
  const ModelShape shape{.config = files.config.model,
                         .source_pieces = files.vocabulary.source.size(),
                         .target_pieces = files.vocabulary.target.size(),
                         .tokens = decoder_tokens(options, files.config)};
  auto model = std::make_shared<PackedModel>(
      pack_model(shape, weights_of(std::move(files.weights), files.origin), target));

  std::shared_ptr<const Shortlist> shortlist;
  if (!options.shortlist.empty()) {
    shortlist = std::make_shared<Shortlist>(read_shortlist(options.shortlist, files.vocabulary));
  }

  std::vector<std::unique_ptr<StepDecoder>> workers;
  for (int64_t worker = 0; worker < count; ++worker) {
    workers.push_back(std::make_unique<PackedDecoder>(model, shortlist));
  }
  return workers;
}

}  // namespace xformer
