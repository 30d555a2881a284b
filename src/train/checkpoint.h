// Checkpoints: all that a training needs to go on as if it had never stopped.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "libtorch.h"
#include "model/encoder_decoder.h"
#include "train/adam.h"
#include "train/train_state.h"

namespace xformer {

/// What a checkpoint holds, by reference to the living parts.
struct Training {
  EncoderDecoder model{nullptr};
  Adam& adam;
  TrainState& state;
};

/// What a checkpoint's names of weights begin with.
inline constexpr const char* kCheckpointWeights = "model.";

/// The checkpoints in a model folder, oldest first; none when there is no such folder.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& model_folder);

/// The checkpoints of one model folder, in its training/ folder: checkpoint-UPDATES.safetensors.
class Checkpoints {
 public:
  /// Keeps the newest `keep` of them. Makes the folder, or throws UserError.
  Checkpoints(std::filesystem::path model_folder, int64_t keep);

  /// Writes one, then removes those that are too old. Throws RunError (disk full, ...), the older
  /// ones intact.
  void save(const Training& training) const;
  /// The newest that there is, by number of updates.
  std::optional<std::filesystem::path> newest() const;
  /// Takes weights, moments and state from a file. Throws UserError.
  static void load(const std::filesystem::path& path, const Training& training);
  /// Sets `model` to the mean of the newest `count` checkpoints' weights; returns how many there
  /// were.
  int64_t average(int64_t count, const EncoderDecoder& model) const;
  void remove_all() const;

 private:
  /// Oldest first.
  std::vector<std::filesystem::path> list() const;

  std::filesystem::path folder_;
  int64_t keep_;
};

}  // namespace xformer
