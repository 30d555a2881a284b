#include "commands/gpu_workers.h"

#include "commands/compute.h"
#include "decode/plain_decoder.h"
#include "formats/stored_model.h"
#include "runtime/error.h"

namespace xformer {

bool runs_on_gpu(const CommonOptions& common) {
  return !start_compute(common).is_cpu();
}

std::vector<std::unique_ptr<StepDecoder>> gpu_workers(const ModelDescription& model,
                                                      const DecodingOptions& options,
                                                      const CommonOptions& common) {
  if (options.precision == "int8") {
    throw UserError(
        "--precision is \"int8\", must be float32, bfloat16 or float16 on a GPU: int8 needs "
        "--device cpu");
  }
  if (!options.shortlist.empty()) throw UserError("--shortlist needs --device cpu");
  if (options.alignment) throw UserError("--alignment needs --device cpu");
  const auto device = start_compute(common);
  auto plain = load_model(model.folder, device).model;
  if (options.precision == "bfloat16") plain->to(torch::kBFloat16);
  if (options.precision == "float16") plain->to(torch::kFloat16);
  std::vector<std::unique_ptr<StepDecoder>> workers;
  workers.push_back(
      std::make_unique<PlainDecoder>(plain, device, decoder_tokens(options, model.config)));
  return workers;
}

}  // namespace xformer
