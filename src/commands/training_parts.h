// Everything that a training is made of, prepared and checked before it begins.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "commands/train.h"
#include "commands/training_data.h"
#include "config/config.h"
#include "distributed/process_group.h"
#include "model/encoder_decoder.h"

namespace xformer {

/// In the order in which they are prepared.
struct TrainingParts {
  const ProcessGroup& group;
  std::filesystem::path folder;
  bool resume = false;
  Config config;
  torch::Device device;
  Vocabulary vocabulary;
  std::string corpus_hash;
  ParallelCorpus corpus;
  std::optional<ValidationText> valid;
  EncoderDecoder model;
};

/// Mistakes come to light here, the cheap ones first and before anything is written. The first
/// process decides on configuration and vocabulary; the first one of each host encodes the text,
/// and the others find it in the cache. Throws UserError and Stopped.
TrainingParts prepare_training(const TrainOptions& options, const ProcessGroup& group);

/// Notes which of torchrun's runs trains in this folder: only a restart of the same one goes on
/// there by itself. `run` is empty without torchrun.
void write_run(const std::filesystem::path& folder, const std::string& run);

}  // namespace xformer
