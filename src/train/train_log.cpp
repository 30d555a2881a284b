#include "train/train_log.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/log.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The whole lines of a metrics file up to and with `updates`.
std::string lines_until(const fs::path& path, int64_t updates) {
  std::string kept;
  if (!fs::exists(path)) return kept;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    const bool whole = json.is_object() && json.contains("update");
    if (whole && json["update"].get<int64_t>() <= updates) kept += line + '\n';
  }
  return kept;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Json to_json(const std::vector<TranslationSample>& samples) {
  Json array = Json::array();
  for (const auto& sample : samples) {
    array.push_back({{"source", sample.source},
                     {"reference", sample.reference},
                     {"translation", sample.translation}});
  }
  return array;
}

}  // namespace

TrainLog::TrainLog(fs::path metrics, int64_t expected_updates)
    : metrics_path_(std::move(metrics)), expected_updates_(expected_updates) {}

void TrainLog::start(const TrainState& state) {
  if (is_silent()) return;
  write_file_atomically(metrics_path_, lines_until(metrics_path_, state.updates));
  metrics_.open(metrics_path_, std::ios::app);
  curves_.start(metrics_path_.parent_path(), state.updates);
  started_ = Clock::now();
  first_update_ = state.updates;
  if (on_metrics) on_metrics(state);
}

void TrainLog::progress(const TrainState& state, int64_t tokens,
                        std::chrono::duration<double> time) {
  if (is_silent()) return;
  timed_tokens_ += tokens;
  update_time_ += time;
  if (!line_.due()) return;
  const double loss = state.logged_loss / static_cast<double>(state.logged_tokens);
  line_.show(fmt::format("update {} of {}  epoch {}  loss {:.4f}  {:.0f} tokens/s  {} left",
                         state.updates, expected_updates_, state.epoch + 1, loss, speed(),
                         to_text(time_left(state))));
}

void TrainLog::update(const TrainState& state, double learning_rate) {
  if (is_silent()) return;
  const double loss = state.logged_loss / static_cast<double>(state.logged_tokens);
  const double tokens_per_second = speed();
  timed_tokens_ = 0;
  update_time_ = {};
  spdlog::info(
      "update {} of {}, epoch {}: loss {:.4f}, learning rate {:.3e}, {:.0f} tokens/s, {} left",
      state.updates, expected_updates_, state.epoch + 1, loss, learning_rate, tokens_per_second,
      to_text(time_left(state)));
  append(state, {{"update", state.updates},
                 {"epoch", state.epoch},
                 {"loss", loss},
                 {"learning_rate", learning_rate},
                 {"target_tokens", state.target_tokens},
                 {"tokens_per_second", tokens_per_second}});
  curves_.add(state.updates, {{"train/loss", loss},
                              {"train/learning_rate", learning_rate},
                              {"train/tokens_per_second", tokens_per_second}});
}

void TrainLog::overflow(const TrainState& state) {
  if (is_silent()) return;
  spdlog::info("update {}: left out, a gradient overflowed float16; the loss scale is {} now",
               state.updates, state.loss_scale.factor);
}

void TrainLog::validation(const TrainState& state, const Validation& found) {
  if (is_silent()) return;
  const bool best = state.best_update == state.updates;
  spdlog::info("validation at update {}: perplexity {:.3f} (unsmoothed), BLEU {:.2f} (greedy){}",
               state.updates, std::exp(found.loss), found.bleu,
               best ? ", the best so far" : fmt::format(", best {:.2f}", state.best_bleu));
  append(state, {{"update", state.updates},
                 {"epoch", state.epoch},
                 {"validation_loss", found.loss},
                 {"perplexity", std::exp(found.loss)},
                 {"bleu", found.bleu},
                 {"best_bleu", state.best_bleu},
                 {"samples", to_json(found.samples)}});
  curves_.add(state.updates, {{"valid/loss", found.loss},
                              {"valid/perplexity", std::exp(found.loss)},
                              {"valid/bleu", found.bleu}});
}

void TrainLog::append(const TrainState& state, const Json& line) {
  // Pieces that are bytes need not add up to characters.
  metrics_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  if (!metrics_) throw RunError(metrics_path_.string() + ": cannot be written");
  if (on_metrics) on_metrics(state);
}

double TrainLog::speed() const {
  return static_cast<double>(timed_tokens_) / update_time_.count();
}

std::chrono::duration<double> TrainLog::time_left(const TrainState& state) const {
  const auto done = static_cast<double>(state.updates - first_update_);
  const auto open = static_cast<double>(std::max<int64_t>(0, expected_updates_ - state.updates));
  return std::chrono::duration<double>(done > 0 ? seconds_since(started_) / done * open : 0);
}

}  // namespace xformer
