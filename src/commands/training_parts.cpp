#include "commands/training_parts.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "commands/compute.h"
#include "formats/stored_model.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/processors.h"
#include "storage/model_folder.h"
#include "train/checkpoint.h"
#include "train/tensor_memory.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// Whether `folder` already holds something that a training would replace.
bool holds_model(const fs::path& folder) {
  return fs::exists(folder / "config.json") || fs::exists(folder / "model.safetensors");
}

void check_output(const TrainOptions& options) {
  const fs::path folder = options.output;
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    throw UserError("--output " + options.output + ": is a file, must be a folder");
  }
  if (options.resume && !holds_model(folder)) {
    throw UserError("--resume: " + options.output + " holds no training to go on with");
  }
  if (options.resume && fs::exists(weights_file(folder)) && checkpoint_files(folder).empty()) {
    throw UserError(
        "--resume: " + options.output +
        " holds a model, but no checkpoint of a training to go on with; begin anew with "
        "--overwrite, or train the model on with --init-from");
  }
  if (!options.resume && !options.overwrite && holds_model(folder)) {
    throw UserError("--output " + options.output +
                    ": already holds a model; go on with --resume or replace it with --overwrite");
  }
  std::error_code error;
  if (!options.init_from.empty() && fs::equivalent(options.init_from, folder, error)) {
    throw UserError("--init-from and --output are the same folder, " + options.output +
                    ": the model would be lost; go on with it with --resume");
  }
}

/// The file named by --config; else the one saved with the model that is gone on with.
Config configuration(const TrainOptions& options) {
  std::vector<Override> overrides;
  for (const auto& argument : options.overrides) overrides.push_back(parse_override(argument));
  const fs::path saved = options.init_from.empty() ? options.output : options.init_from;
  return load_config(options.config.empty() ? (saved / "config.json").string() : options.config,
                     overrides);
}

using Prefixes = std::vector<std::string>;

bool starts_with_any(const std::string& text, const Prefixes& prefixes) {
  return std::ranges::any_of(prefixes,
                             [&](const auto& prefix) { return text.starts_with(prefix); });
}

/// What a resumed training may change is announced; what would make it another training is refused.
void check_changes_on_resume(const Config& saved, const Config& wanted) {
  const Prefixes fixed = {
      "data.task",   "data.copy",     "data.max_length",      "data.train.weight",
      "vocabulary.", "training.seed", "training.batch_tokens"};
  for (const auto& change : differences(saved, wanted)) {
    if (starts_with_any(change, fixed) || concerns_weights(change)) {
      throw UserError("--resume: " + change + ": cannot change in mid-training");
    }
    spdlog::info("changed on resume: {}", change);
  }
}

/// Weights fit one architecture and one vocabulary: the configuration gets the model's, and may not
/// name another one.
Config fine_tuning(Config wanted, const fs::path& model) {
  const auto saved = read_model_config(model);
  for (const auto& change : differences(saved, wanted)) {
    if (concerns_weights(change)) {
      throw UserError("--init-from " + model.string() + ": " + change +
                      ": the weights fit their own architecture alone");
    }
  }
  const auto vocabulary = read_vocabulary(model, saved);
  const auto require = [&](const char* key, const std::string& file, const std::string& of_model,
                           const Tokenizer& tokenizer) {
    if (file.empty() || file == of_model) return;
    if (Tokenizer::load(file).hash() == tokenizer.hash()) return;
    throw UserError(std::string(key) + " is \"" + file + "\", must be left out or be that of " +
                    model.string() + ", whose weights mean nothing with another vocabulary");
  };
  const auto &own = wanted.vocabulary, &old = saved.vocabulary;
  require("vocabulary.model", own.model, old.model, vocabulary.source);
  require("vocabulary.source_model", own.source_model, old.source_model, vocabulary.source);
  require("vocabulary.target_model", own.target_model, old.target_model, vocabulary.target);
  wanted.vocabulary = saved.vocabulary;
  wanted.tokens = saved.tokens;
  wanted.origin = saved.origin;
  return wanted;
}

/// The first process' work: options and configuration against what is on the disk.
Config checked_configuration(const TrainOptions& options) {
  check_output(options);
  const auto config = configuration(options);
  if (options.resume) check_changes_on_resume(read_model_config(options.output), config);
  return options.init_from.empty() ? config : fine_tuning(config, options.init_from);
}

Config shared_configuration(const TrainOptions& options, const ProcessGroup& group) {
  if (group.size() == 1) return checked_configuration(options);
  if (!group.is_first()) return parse_config(group.broadcast(""), "the configuration");
  const auto config = checked_configuration(options);
  group.broadcast(to_json(config));
  return config;
}

/// Starts LibTorch; the processes of one host share its cores and take a GPU each.
torch::Device start_shared_compute(CommonOptions options, const ProcessGroup& group) {
  const auto& environment = group.environment();
  if (group.size() > 1) {
    // torchrun sets the variable; then that is the number wanted.
    const bool fixed = std::getenv("OMP_NUM_THREADS") != nullptr;
    if (options.threads == 0 && !fixed) {
      options.threads = std::max<int64_t>(1, threads_or_default(0) / environment.local_size);
    }
    const bool any_gpu =
        options.device == "cuda" || (options.device == "auto" && torch::cuda::is_available());
    if (any_gpu) options.device = "cuda:" + std::to_string(environment.local_rank);
  }
  const auto device = start_compute(options);
  if (device.is_cpu()) keep_tensor_memory();
  group.use_device(device);
  return device;
}

Vocabulary chosen_vocabulary(const TrainOptions& options, const TrainingData& data) {
  const auto of_model = [](const fs::path& folder) { return read_description(folder).vocabulary; };
  if (options.resume) return of_model(options.output);
  if (!options.init_from.empty()) return of_model(options.init_from);
  return data.vocabulary();
}

/// The first process' tokenizer, which `own` is there.
Tokenizer shared_tokenizer(const std::optional<Tokenizer>& own, const Config& config,
                           const ProcessGroup& group) {
  const std::string name = "the vocabulary of process 0";
  const auto bytes = group.broadcast(own ? own->bytes() : "");
  const auto map = group.broadcast(own ? own->map_json() : "");
  if (map.empty()) return Tokenizer::from_bytes(bytes, name);
  return Tokenizer::with_map({.model = bytes,
                              .map = PieceMap::from_json(map, name),
                              .tokens = config.tokens,
                              .languages = config.vocabulary.language_tokens},
                             name);
}

Vocabulary shared_vocabulary(const TrainOptions& options, const TrainingData& data,
                             const Config& config, const ProcessGroup& group) {
  if (group.size() == 1) return chosen_vocabulary(options, data);
  std::optional<Tokenizer> source, target;
  if (group.is_first()) {
    const auto own = chosen_vocabulary(options, data);
    source = own.source;
    target = own.target;
  }
  return {.source = shared_tokenizer(source, config, group),
          .target = shared_tokenizer(target, config, group),
          .tokens = config.tokens};
}

/// Calls `load` in the first process of each host, then in the others.
template <class Load>
void first_of_host_first(const ProcessGroup& group, Load load) {
  const bool first = group.environment().is_first_of_host();
  if (first) load();
  group.barrier();
  if (!first) load();
}

void require_same_text(const std::string& hash, const ProcessGroup& group) {
  const auto hashes = group.gather(hash);
  for (size_t r = 1; r < hashes.size(); ++r) {
    if (hashes[r] == hashes[0]) continue;
    throw UserError("data.train: process " + std::to_string(r) +
                    " finds other text under these names than process 0");
  }
}

EncoderDecoder first_model(const TrainOptions& options, const Config& config,
                           const Vocabulary& vocabulary, torch::Device device) {
  auto model = make_model(config.model, sizes_of(vocabulary), config.training.seed);
  if (!options.init_from.empty()) {
    const auto start = load_model(options.init_from, torch::kCPU);
    std::map<std::string, torch::Tensor> weights;
    for (const auto& item : start.model->named_parameters()) weights[item.key()] = item.value();
    copy_weights(weights, "", model, options.init_from);
  }
  model->to(device);
  return model;
}

fs::path run_file(const fs::path& folder) {
  return folder / "training" / "run";
}

/// What write_run noted; empty where it has not.
std::string read_run(const fs::path& folder) {
  return fs::exists(run_file(folder)) ? read_file(run_file(folder)) : "";
}

/// A training that torchrun started again goes on from its last checkpoint; without one it begins
/// again. What another run left in the folder is none of its business.
TrainOptions after_restart(TrainOptions options, const ProcessGroup& group) {
  const auto& environment = group.environment();
  if (environment.restarts == 0 || read_run(options.output) != environment.run) return options;
  const bool has_checkpoint = !checkpoint_files(options.output).empty();
  options.resume = has_checkpoint;
  options.overwrite = !has_checkpoint;
  if (has_checkpoint) options.init_from.clear();
  return options;
}

}  // namespace

void write_run(const fs::path& folder, const std::string& run) {
  if (run.empty()) {
    fs::remove(run_file(folder));
  } else {
    write_file_atomically(run_file(folder), run);
  }
}

TrainingParts prepare_training(const TrainOptions& given, const ProcessGroup& group) {
  const auto options = after_restart(given, group);
  const auto config = shared_configuration(options, group);
  const auto device = start_shared_compute(options.common, group);

  const TrainingData data(config, options.output, at::get_num_threads());
  require_same_text(data.hash(), group);
  const auto vocabulary = shared_vocabulary(options, data, config, group);
  ParallelCorpus corpus;
  std::optional<ValidationText> valid;
  first_of_host_first(group, [&] {
    corpus = data.training_corpus(vocabulary);
    valid = data.validation_text(vocabulary);
  });
  const bool is_first = group.is_first();
  auto model = first_model(is_first ? options : TrainOptions(), config, vocabulary, device);
  return {group,      options.output, options.resume,    config,           device,
          vocabulary, data.hash(),    std::move(corpus), std::move(valid), std::move(model)};
}

}  // namespace xformer
