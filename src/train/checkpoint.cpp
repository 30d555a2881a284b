#include "train/checkpoint.h"

#include <algorithm>
#include <charconv>

#include "formats/average_weights.h"
#include "formats/safetensors.h"
#include "formats/stored_model.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCheckpointPrefix = "checkpoint-", kCheckpointSuffix = ".safetensors";
constexpr const char* kState = "state";
constexpr const char* kTrainingFolder = "training";

fs::path file_name(int64_t updates) {
  return std::string(kCheckpointPrefix) + std::to_string(updates) + std::string(kCheckpointSuffix);
}

/// The number of updates in a checkpoint's name; nothing for other files.
std::optional<int64_t> updates_in(const std::string& name) {
  if (!name.starts_with(kCheckpointPrefix) || !name.ends_with(kCheckpointSuffix))
    return std::nullopt;
  int64_t updates = 0;
  const char* first = name.data() + kCheckpointPrefix.size();
  const char* last = name.data() + name.size() - kCheckpointSuffix.size();
  auto [end, error] = std::from_chars(first, last, updates);
  if (error != std::errc() || end != last) return std::nullopt;
  return updates;
}

void require_finite(const EncoderDecoder& model, int64_t updates) {
  for (const auto& item : model->named_parameters()) {
    if (item.value().isfinite().all().item<bool>()) continue;
    throw RunError("update " + std::to_string(updates) + ": " + item.key() +
                   " is no longer finite; the last checkpoint is kept. Lower training.base_lr, "
                   "lengthen training.warmup or set training.clip_norm");
  }
}

}  // namespace

std::vector<fs::path> checkpoint_files(const fs::path& model_folder) {
  std::vector<std::pair<int64_t, fs::path>> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(model_folder / kTrainingFolder, none)) {
    if (auto updates = updates_in(entry.path().filename().string())) {
      found.emplace_back(*updates, entry.path());
    }
  }
  std::ranges::sort(found);
  std::vector<fs::path> files;
  for (auto& [updates, path] : found) files.push_back(std::move(path));
  return files;
}

Checkpoints::Checkpoints(fs::path model_folder, int64_t keep)
    : folder_(model_folder / kTrainingFolder), keep_(keep) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw UserError(folder_.string() + ": cannot be created: " + error.message());
  remove_stale_temporaries(folder_);
}

void Checkpoints::save(const Training& training) const {
  require_finite(training.model, training.state.updates);
  TensorFile file;
  for (const auto& item : training.model->named_parameters()) {
    file.tensors[kCheckpointWeights + item.key()] = item.value();
  }
  training.adam.save(file.tensors);
  file.metadata[kState] = to_json(training.state);
  write_safetensors(folder_ / file_name(training.state.updates), file);

  auto files = list();
  const auto surplus = std::max<int64_t>(0, static_cast<int64_t>(files.size()) - keep_);
  for (int64_t i = 0; i < surplus; ++i) fs::remove(files[i]);
}

std::optional<fs::path> Checkpoints::newest() const {
  auto files = list();
  if (files.empty()) return std::nullopt;
  return files.back();
}

void Checkpoints::load(const fs::path& path, const Training& training) {
  auto file = read_safetensors(path);
  if (!file.metadata.contains(kState)) {
    throw UserError(path.string() + ": is not a checkpoint of a training");
  }
  copy_weights(file.tensors, kCheckpointWeights, training.model, path.string());
  training.adam.load(file.tensors, path.string());
  training.state = parse_train_state(file.metadata[kState], path.string());
}

int64_t Checkpoints::average(int64_t count, const EncoderDecoder& model) const {
  auto files = list();
  if (count < std::ssize(files)) files.erase(files.begin(), files.end() - count);
  if (!files.empty()) average_weights(files, kCheckpointWeights, model);
  return std::ssize(files);
}

void Checkpoints::remove_all() const {
  for (const auto& path : list()) fs::remove(path);
}

std::vector<fs::path> Checkpoints::list() const {
  return checkpoint_files(folder_.parent_path());
}

}  // namespace xformer
