#include "commands/average.h"

#include <filesystem>

#include "commands/compute.h"
#include "commands/decoding.h"
#include "commands/output_folder.h"
#include "formats/average_weights.h"
#include "formats/stored_model.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "storage/model_folder.h"
#include "train/checkpoint.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// Weights can only be added up when they mean the same.
void require_alike(const ModelDescription& first, const ModelDescription& second) {
  for (const auto& difference : differences(first.config, second.config)) {
    if (!concerns_weights(difference)) continue;
    throw UserError(second.folder.string() + ": differs from " + first.folder.string() + " in " +
                    difference + ", must have the same architecture");
  }
  if (hashes_of(first.vocabulary) == hashes_of(second.vocabulary)) return;
  throw UserError(second.folder.string() + ": has other vocabularies than " +
                  first.folder.string() + ", must have the same");
}

/// What is averaged: the files, and under which names they have the weights.
struct Sources {
  ModelDescription description;
  std::vector<fs::path> files;
  std::string prefix;
};

Sources models_of(const std::vector<std::string>& folders) {
  Sources sources{.description = read_description(folders.front()), .files = {}, .prefix = ""};
  for (const auto& folder : folders) {
    require_alike(sources.description, read_description(folder));
    sources.files.push_back(weights_file(folder));
  }
  return sources;
}

Sources checkpoints_of(const fs::path& folder, int64_t last) {
  Sources sources{.description = read_description(folder),
                  .files = checkpoint_files(folder),
                  .prefix = kCheckpointWeights};
  auto& files = sources.files;
  if (files.empty()) throw UserError(folder.string() + ": has no checkpoints in training/");
  if (last > std::ssize(files)) {
    throw UserError("--last is " + std::to_string(last) + ", but " + folder.string() + " has " +
                    std::to_string(files.size()) + " checkpoints: see training.keep");
  }
  if (last > 0) files.erase(files.begin(), files.end() - last);
  return sources;
}

}  // namespace

int run_average(const AverageOptions& options) {
  start_compute(options.common);
  const fs::path output = options.output;
  const auto sources = options.models.empty()
                           ? checkpoints_of(model_folder_or_default(options.model), options.last)
                           : models_of(options.models);
  const auto& config = sources.description.config;
  const auto& vocabulary = sources.description.vocabulary;
  EncoderDecoder model(config.model, sizes_of(vocabulary));
  average_weights(sources.files, sources.prefix, model);
  StagedModelFolder folder(output, options.overwrite);
  write_model_description(folder.path(), config, vocabulary);
  write_weights(folder.path(), model, vocabulary);
  folder.commit();
  spdlog::info("wrote {}, the mean of {} sets of weights", output.string(), sources.files.size());
  return 0;
}

}  // namespace xformer
