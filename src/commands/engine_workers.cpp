#include "commands/engine_workers.h"

#include "engine/packed_decoder.h"
#include "runtime/error.h"
#include "storage/shortlist_file.h"
#include "storage/stored_weights.h"

namespace xformer {

std::vector<std::unique_ptr<StepDecoder>> engine_workers(const ModelDescription& model,
                                                         const DecodingOptions& options,
                                                         bool screens, int64_t count) {
  if (options.precision != "float32" && options.precision != "int8") {
    throw UserError("--precision is \"" + options.precision +
                    "\", must be float32 or int8 on a CPU");
  }
  const EngineTarget target{
      .weights = options.precision == "int8" ? WeightType::kInt8 : WeightType::kFloat32,
      .screens = screens};
  const ModelShape shape{.config = model.config.model,
                         .source_pieces = model.vocabulary.source.size(),
                         .target_pieces = model.vocabulary.target.size(),
                         .tokens = decoder_tokens(options, model.config)};
  auto packed = std::make_shared<const PackedModel>(
      pack_model(shape, map_weights(model.folder, model.vocabulary), target));

  std::shared_ptr<const Shortlist> shortlist;
  if (!options.shortlist.empty()) {
    shortlist = std::make_shared<Shortlist>(read_shortlist(options.shortlist, model.vocabulary));
  }

  std::vector<std::unique_ptr<StepDecoder>> workers;
  for (int64_t worker = 0; worker < count; ++worker) {
    workers.push_back(std::make_unique<PackedDecoder>(packed, shortlist));
  }
  return workers;
}

}  // namespace xformer
