#include "config/config_checks.h"

namespace xformer {
namespace {

using Rules = std::vector<BrokenRule>;

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

std::string name_of(TieEmbeddings tie) {
  return tie == TieEmbeddings::kAll ? "all" : "source_target";
}

/// Files that are of use only as a pair.
void check_pair(const std::string& source_key, const std::string& source,
                const std::string& target_key, const std::string& target, Rules& broken) {
  if (source.empty() == target.empty()) return;
  const std::string& given = source.empty() ? target_key : source_key;
  const std::string& missing = source.empty() ? source_key : target_key;
  broken.push_back(
      {{source_key, target_key}, missing + " is missing, must be given together with " + given});
}

bool names_files(const std::vector<std::string>& files) {
  return !files.empty() && files != std::vector<std::string>{""};
}

void check_training_texts(const TrainingTexts& train, Rules& broken) {
  const auto count = [](size_t number) { return std::to_string(number); };
  const auto files = [&](const std::vector<std::string>& names) {
    return names_files(names) ? names.size() : 0;
  };
  const size_t sources = files(train.source), targets = files(train.target);
  if (sources == 0 || targets == 0) {
    check_pair("data.train.source", sources ? train.source[0] : "", "data.train.target",
               targets ? train.target[0] : "", broken);
  } else if (sources != targets) {
    broken.push_back({{"data.train.source", "data.train.target"},
                      "data.train.source names " + count(sources) + " files, data.train.target " +
                          count(targets) + ", must be as many"});
  } else if (!train.weight.empty() && train.weight.size() != sources) {
    broken.push_back({{"data.train.weight", "data.train.source"},
                      "data.train.weight holds " + count(train.weight.size()) +
                          " numbers, must hold one for each of the " + count(sources) +
                          " files of data.train.source"});
  }
}

void check_data(const DataConfig& data, Rules& broken) {
  check_training_texts(data.train, broken);
  check_pair("data.valid.source", data.valid.source, "data.valid.target", data.valid.target,
             broken);
  if (data.task != Task::kCopy) return;
  const auto must_be_absent = [&](const char* key, const std::string& file) {
    if (file.empty()) return;
    broken.push_back({{key, "data.task"},
                      key + (" is " + quoted(file)) +
                          ", must be left out as data.task \"copy\" makes its own text"});
  };
  for (const auto& file : data.train.source) must_be_absent("data.train.source", file);
  for (const auto& file : data.train.target) must_be_absent("data.train.target", file);
  must_be_absent("data.valid.source", data.valid.source);
  must_be_absent("data.valid.target", data.valid.target);
}

/// Maps lie in the model's folder, so that it can be moved, and nothing is written elsewhere.
void check_maps(const VocabularyConfig& vocabulary, Rules& broken) {
  check_pair("vocabulary.source_map", vocabulary.source_map, "vocabulary.target_map",
             vocabulary.target_map, broken);
  const auto check_name = [&](const char* key, const std::string& name) {
    const auto not_allowed = std::string_view("/\0", 2);
    if (name.find_first_of(not_allowed) == name.npos && name != "..") return;
    broken.push_back({{key}, key + (" is " + quoted(name)) + ", must be a file's name alone"});
  };
  check_name("vocabulary.source_map", vocabulary.source_map);
  check_name("vocabulary.target_map", vocabulary.target_map);
}

void check_vocabulary(const Config& config, Rules& broken) {
  const VocabularyConfig& vocabulary = config.vocabulary;
  check_maps(vocabulary, broken);
  check_pair("vocabulary.source_model", vocabulary.source_model, "vocabulary.target_model",
             vocabulary.target_model, broken);
  const bool two_models = !vocabulary.source_model.empty() || !vocabulary.target_model.empty();
  if (!vocabulary.model.empty() && two_models) {
    broken.push_back({{"vocabulary.model", "vocabulary.source_model", "vocabulary.target_model"},
                      "vocabulary.model is " + quoted(vocabulary.model) +
                          ", must be left out when vocabulary.source_model and "
                          "vocabulary.target_model are given"});
  } else if (vocabulary.shared && two_models) {
    broken.push_back({{"vocabulary.shared", "vocabulary.source_model", "vocabulary.target_model"},
                      "vocabulary.shared is true, must be false when vocabulary.source_model and "
                      "vocabulary.target_model are given"});
  } else if (!vocabulary.shared && !vocabulary.model.empty()) {
    broken.push_back({{"vocabulary.model", "vocabulary.shared"},
                      "vocabulary.model is " + quoted(vocabulary.model) +
                          ", must be left out when vocabulary.shared is false: give "
                          "vocabulary.source_model and vocabulary.target_model"});
  }
  if (!vocabulary.shares_ids() && config.model.ties_source())
    broken.push_back({{"model.tie_embeddings", "vocabulary.shared"},
                      "model.tie_embeddings is \"" + name_of(config.model.tie_embeddings) +
                          "\", which needs a shared vocabulary, must be \"decoder\" or \"none\" "
                          "when vocabulary.shared is false"});
}

void check_model(const Config& config, Rules& broken) {
  const ModelConfig& model = config.model;
  const std::string is = "model.d_model is " + std::to_string(model.d_model);
  const auto check_heads = [&](const char* key, int64_t h) {
    if (model.d_model % h == 0) return;
    broken.push_back({{"model.d_model", key},
                      is + ", must be a multiple of " + key + ", which is " + std::to_string(h)});
  };
  check_heads("model.h", model.h);
  if (model.h_decoder) check_heads("model.h_decoder", *model.h_decoder);
  if (model.d_model % 2 != 0)
    broken.push_back(
        {{"model.d_model"}, is + ", must be even: positions are pairs of a sine and a cosine"});
  if (model.max_positions > 0 && config.data.max_length >= model.max_positions)
    broken.push_back({{"data.max_length", "model.max_positions"},
                      "data.max_length is " + std::to_string(config.data.max_length) +
                          ", must be below model.max_positions, which is " +
                          std::to_string(model.max_positions) + ": eos takes a position too"});
}

void check_training(const TrainingConfig& training, Rules& broken) {
  if (training.average > training.keep)
    broken.push_back({{"training.average", "training.keep"},
                      "training.average is " + std::to_string(training.average) +
                          ", must be at most training.keep, which is " +
                          std::to_string(training.keep)});
}

void check_decoding(const DecodingConfig& decoding, Rules& broken) {
  if (decoding.max_length_factor == 0 && decoding.max_length_extra == 0)
    broken.push_back({{"decoding.max_length_extra", "decoding.max_length_factor"},
                      "decoding.max_length_extra is 0, must be at least 1 when "
                      "decoding.max_length_factor is 0"});
}

}  // namespace

std::vector<BrokenRule> broken_rules(const Config& config) {
  Rules broken;
  check_data(config.data, broken);
  check_vocabulary(config, broken);
  check_model(config, broken);
  check_training(config.training, broken);
  check_decoding(config.decoding, broken);
  return broken;
}

std::vector<BrokenRule> missing_for_training(const Config& config) {
  const TrainingTexts& train = config.data.train;
  if (config.data.task != Task::kText || names_files(train.source) || names_files(train.target)) {
    return {};
  }
  return {{{"data.train.source", "data.train.target", "data.task"},
           "data.train.source and data.train.target are missing, must name the training text when "
           "data.task is \"text\""}};
}

}  // namespace xformer
