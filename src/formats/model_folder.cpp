#include "formats/model_folder.h"

#include "formats/safetensors.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";
constexpr const char* kSharedVocabulary = "sentencepiece.model";
constexpr const char* kSourceVocabulary = "source.model";
constexpr const char* kTargetVocabulary = "target.model";

void require_same_vocabulary(const std::string& side, const std::string& expected,
                             const std::string& found, const fs::path& folder) {
  if (expected == found) return;
  throw UserError(folder.string() + ": the " + side + " vocabulary has the hash " + found +
                  ", but the weights were trained with " + (expected.empty() ? "none" : expected));
}

std::string shape_text(const torch::Tensor& tensor) {
  return c10::str(tensor.sizes());
}

}  // namespace

VocabularySizes sizes_of(const Vocabulary& vocabulary) {
  return {.source = vocabulary.source.size(), .target = vocabulary.target.size()};
}

VocabularyHashes hashes_of(const Vocabulary& vocabulary) {
  return {.source = vocabulary.source.hash(), .target = vocabulary.target.hash()};
}

void write_model_description(const fs::path& folder, Config config, const Vocabulary& vocabulary) {
  if (vocabulary.shared()) {
    write_file_atomically(folder / kSharedVocabulary, vocabulary.source.bytes());
  } else {
    write_file_atomically(folder / kSourceVocabulary, vocabulary.source.bytes());
    write_file_atomically(folder / kTargetVocabulary, vocabulary.target.bytes());
  }
  config.vocabulary_hashes = hashes_of(vocabulary);
  write_file_atomically(folder / kConfig, to_json(config));
}

void remove_model(const fs::path& folder) {
  for (const char* name :
       {kConfig, kWeights, kSharedVocabulary, kSourceVocabulary, kTargetVocabulary}) {
    fs::remove(folder / name);
  }
}

void write_weights(const fs::path& folder, const EncoderDecoder& model,
                   const Vocabulary& vocabulary) {
  TensorFile file;
  for (const auto& item : model->named_parameters()) file.tensors[item.key()] = item.value();
  const auto hashes = hashes_of(vocabulary);
  file.metadata = {{"format", "xformer"},
                   {"source_vocabulary", hashes.source},
                   {"target_vocabulary", hashes.target}};
  write_safetensors(folder / kWeights, file);
}

fs::path weights_file(const fs::path& folder) {
  return folder / kWeights;
}

Config read_model_config(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw UserError(folder.string() + ": is not a folder, must be one that xformer train wrote");
  }
  const auto path = folder / kConfig;
  return parse_config(read_file(path), path.string());
}

Vocabulary read_vocabulary(const fs::path& folder) {
  if (fs::exists(folder / kSharedVocabulary)) {
    auto tokenizer = Tokenizer::load(folder / kSharedVocabulary);
    return {.source = tokenizer, .target = tokenizer};
  }
  if (!fs::exists(folder / kSourceVocabulary)) {
    throw UserError(folder.string() + ": has no vocabulary, must hold " + kSharedVocabulary +
                    ", or " + kSourceVocabulary + " and " + kTargetVocabulary);
  }
  return {.source = Tokenizer::load(folder / kSourceVocabulary),
          .target = Tokenizer::load(folder / kTargetVocabulary)};
}

ModelFiles open_model(const fs::path& folder) {
  ModelFiles files{.config = read_model_config(folder),
                   .vocabulary = read_vocabulary(folder),
                   .weights = {},
                   .origin = (folder / kWeights).string()};
  auto file = map_safetensors(folder / kWeights);
  const auto hashes = hashes_of(files.vocabulary);
  require_same_vocabulary("source", file.metadata["source_vocabulary"], hashes.source, folder);
  require_same_vocabulary("target", file.metadata["target_vocabulary"], hashes.target, folder);
  files.weights = std::move(file.tensors);
  return files;
}

LoadedModel load_model(const fs::path& folder, torch::Device device) {
  auto files = open_model(folder);
  LoadedModel loaded{.config = files.config, .vocabulary = files.vocabulary};
  loaded.model = EncoderDecoder(loaded.config.model, sizes_of(loaded.vocabulary));
  copy_weights(files.weights, "", loaded.model, files.origin);
  if (const auto surplus = files.weights.size() - loaded.model->named_parameters().size()) {
    throw UserError(files.origin + ": holds " + std::to_string(surplus) +
                    " tensors more than the architecture in " + kConfig + " has");
  }
  loaded.model->to(device);
  loaded.model->eval();
  return loaded;
}

void copy_weights(const std::map<std::string, torch::Tensor>& tensors, const std::string& prefix,
                  const EncoderDecoder& model, const std::string& origin) {
  torch::NoGradGuard no_grad;
  for (const auto& item : model->named_parameters()) {
    auto found = tensors.find(prefix + item.key());
    if (found == tensors.end()) throw UserError(origin + ": has no tensor " + prefix + item.key());
    torch::Tensor parameter = item.value();
    if (found->second.sizes() != parameter.sizes()) {
      throw UserError(origin + ": " + item.key() + " has the shape " + shape_text(found->second) +
                      ", the configuration wants " + shape_text(parameter));
    }
    parameter.copy_(found->second);
  }
}

}  // namespace xformer
