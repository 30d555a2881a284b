// The models in tests/formats/fixtures, and copies of them to damage.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.h"
#include "formats/safetensors.h"
#include "formats/stored_model.h"
#include "model/masks.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "temporary_folder.h"

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(XFORMER_SOURCE_DIR) / "tests/formats/fixtures" / name;
}

inline const std::vector<std::string> kHuggingFaceFixtures = {
    "swish",   "relu",     "gelu",    "deep_encoder", "untied",
    "no_bias", "separate", "pegasus", "float16",      "stale_output"};

/// A copy of a fixture's files without what is expected of it.
class FixtureCopy {
 public:
  explicit FixtureCopy(const std::string& name) {
    for (const auto& entry : std::filesystem::directory_iterator(fixture(name))) {
      const auto file = entry.path().filename();
      if (file != "expected.json" && file != "logits.safetensors") {
        std::filesystem::copy(entry.path(), path() / file);
      }
    }
  }

  const std::filesystem::path& path() const { return folder_.path(); }

  void edit_json(const std::string& file, const std::function<void(nlohmann::json&)>& change) {
    auto json = nlohmann::json::parse(xformer::read_file(path() / file));
    change(json);
    folder_.file(file, json.dump());
  }
  void edit_tensors(const std::function<void(std::map<std::string, torch::Tensor>&)>& change) {
    auto file = xformer::read_safetensors(path() / "model.safetensors");
    change(file.tensors);
    xformer::write_safetensors(path() / "model.safetensors", file);
  }

 private:
  TemporaryFolder folder_;
};

/// What `read` says of its input, a line; nothing when it takes it.
inline std::string fault_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const xformer::UserError& error) {
    const std::string text = error.what();
    CAPTURE(text);
    REQUIRE(text.find('\n') == std::string::npos);
    return text;
  }
  return "";
}

/// Those of a few sentences, as logits.safetensors has them from transformers.
inline void check_logits(const xformer::LoadedModel& loaded, const std::filesystem::path& file) {
  using namespace xformer;
  torch::NoGradGuard no_grad;
  EncoderDecoder model = loaded.model;
  auto expected = read_safetensors(file).tensors;
  for (int i = 0; expected.contains("source_" + std::to_string(i)); ++i) {
    const auto number = std::to_string(i);
    const auto source = expected["source_" + number].unsqueeze(0),
               target = expected["target_" + number].unsqueeze(0);
    const auto x =
        model->forward(source, target, source_mask(source, -1), subsequent_mask(target.size(1)));
    const auto logits = model->generator->logits(x)[0];
    CHECK((logits - expected["logits_" + number]).abs().max().item<double>() < 1e-4);
  }
}
