#include "train/train_state.h"

#include <nlohmann/json.hpp>

#include "runtime/error.h"

namespace xformer {
namespace {

/// Names each member once, for writing and reading alike.
template <class State, class Visit>
void visit_members(State& state, Visit&& visit) {
  visit("corpus", state.corpus);
  visit("updates", state.updates);
  visit("epoch", state.epoch);
  visit("batches_in_epoch", state.batches_in_epoch);
  visit("sentences", state.sentences);
  visit("target_tokens", state.target_tokens);
  visit("last_validation", state.last_validation);
  visit("last_save", state.last_save);
  visit("best_bleu", state.best_bleu);
  visit("best_update", state.best_update);
  visit("validations_without_gain", state.validations_without_gain);
  visit("logged_loss", state.logged_loss);
  visit("logged_tokens", state.logged_tokens);
  visit("logged_updates", state.logged_updates);
}

/// Those that checkpoints of earlier versions lack.
template <class State, class Visit>
void visit_later_members(State& state, Visit&& visit) {
  visit("loss_scale", state.loss_scale.factor);
  visit("updates_without_overflow", state.loss_scale.updates_without_overflow);
}

}  // namespace

std::string to_json(const TrainState& state) {
  nlohmann::json json;
  const auto write = [&](const char* name, const auto& member) { json[name] = member; };
  visit_members(state, write);
  visit_later_members(state, write);
  return json.dump();
}

TrainState parse_train_state(const std::string& json, const std::string& origin) {
  TrainState state;
  try {
    const nlohmann::json parsed = nlohmann::json::parse(json);
    visit_members(state, [&](const char* name, auto& member) { parsed.at(name).get_to(member); });
    visit_later_members(state, [&](const char* name, auto& member) {
      if (parsed.contains(name)) parsed.at(name).get_to(member);
    });
  } catch (const nlohmann::json::exception& error) {
    throw UserError(origin + ": its training state cannot be read (" + error.what() + ")");
  }
  return state;
}

}  // namespace xformer
