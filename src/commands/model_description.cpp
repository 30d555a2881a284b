#include "commands/model_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace xformer {
namespace {

std::string origin_text(const ModelOrigin& origin) {
  std::vector<std::string> from = {origin.format, origin.name, origin.version};
  std::erase(from, "");
  std::string text;
  if (!from.empty()) text += fmt::format("origin {}\n", fmt::join(from, ", "));
  for (const auto& note : origin.notes) text += "note " + note + '\n';
  return text;
}

std::string stack_text(const char* name, const ModelConfig& side) {
  return fmt::format("{} {} layers, d_ff {}, {} heads\n", name, side.N, side.d_ff, side.h);
}

/// `names` is the configuration's section, which has the choices by name.
std::string architecture_text(const ModelConfig& config, const nlohmann::json& names) {
  const auto name = [&](const char* key) { return names[key].get<std::string>(); };
  const std::string limit =
      config.max_positions > 0 ? fmt::format(", at most {} pieces", config.max_positions) : "";
  return fmt::format("d_model {}\n", config.d_model) + stack_text("encoder", config) +
         stack_text("decoder", config.of_decoder()) +
         fmt::format("activation {}\nnorm {}, {} final norm, epsilon {}\npositions {}{}\n",
                     name("activation"), name("norm"), config.has_final_norm() ? "a" : "no",
                     config.norm_epsilon, name("positions"), limit) +
         fmt::format("embeddings tied {}, times {}\ngenerator {} bias\n", name("tie_embeddings"),
                     config.embedding_factor(), config.generator_bias ? "with a" : "without");
}

std::string tokens_text(const Vocabulary& vocabulary) {
  const auto& target = vocabulary.target;
  const auto& tokens = vocabulary.tokens;
  std::vector<std::string> never;
  for (const int32_t id : tokens.never) never.push_back(target.piece(id));
  return fmt::format("decoding starts with {}, ends with {}, never chooses {}\n",
                     target.piece(tokens.decoder_start), target.piece(tokens.eos),
                     never.empty() ? "nothing else" : fmt::format("{}", fmt::join(never, " ")));
}

}  // namespace

std::string describe(const LoadedModel& model) {
  const auto& [config, vocabulary, module] = model;
  const auto json = nlohmann::json::parse(to_json(config));
  const auto& languages = config.vocabulary.language_tokens;
  std::string text = origin_text(config.origin);
  text += fmt::format("parameters {}\n", parameter_count(module));
  text += architecture_text(config.model, json["model"]);
  text += fmt::format("source pieces {}\ntarget pieces {}\n", vocabulary.source.size(),
                      vocabulary.target.size());
  text += tokens_text(vocabulary);
  if (!languages.empty()) {
    text += fmt::format("target languages {}\n", fmt::join(languages, " "));
  }
  return text + fmt::format("search {}, beam size {}, length penalty {}\n",
                            json["decoding"]["search"].get<std::string>(),
                            config.decoding.beam_size, config.decoding.length_penalty);
}

}  // namespace xformer
