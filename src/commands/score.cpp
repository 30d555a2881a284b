#include "commands/score.h"

#include <fmt/core.h>

#include <cmath>
#include <memory>

#include "commands/model_translator.h"
#include "commands/output_text.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "text/line_reader.h"
#include "text/text_survey.h"

namespace xformer {
namespace {

struct Pairs {
  std::vector<std::string> sources, targets;
};

/// The next pairs, none at the end of both files.
Pairs read_pairs(LineReader& sources, LineReader& targets) {
  Pairs pairs;
  for (std::string source, target; pairs.sources.size() < kReadAhead;) {
    const bool more_sources = sources.next(source), more_targets = targets.next(target);
    if (!more_sources || !more_targets) break;
    pairs.sources.push_back(std::move(source));
    pairs.targets.push_back(std::move(target));
  }
  return pairs;
}

}  // namespace

int run_score(const ScoreOptions& options) {
  const auto a = survey_text(options.source).lines, b = survey_text(options.target).lines;
  if (a != b) {
    throw UserError(
        fmt::format("--source {} has {} lines and --target {} has {}, the numbers must be the same",
                    options.source, a, options.target, b));
  }
  auto decoding = options.decoding;
  decoding.beam_size = 1;
  if (!decoding.length_penalty) decoding.length_penalty = 0;
  ModelTranslator model(describe_models(options.models, decoding), decoding, options.common);
  LineReader sources{std::filesystem::path(options.source)};
  LineReader targets{std::filesystem::path(options.target)};
  const auto writer = open_output(options.output, {options.source, options.target});

  int64_t impossible = 0, lines = 0;
  for (Pairs pairs; !(pairs = read_pairs(sources, targets)).sources.empty();) {
    std::string output;
    for (const auto& scored : model.translator().score(pairs.sources, pairs.targets)) {
      if (std::isnan(scored.score)) {
        if (stop_requested()) break;  // before this line
        throw RunError("the model gives line " + std::to_string(lines + 1) +
                       " no probability: its weights are bad");
      }
      ++lines;
      impossible += std::isinf(scored.score);
      output += fmt::format("{:.6f}\n", scored.score);
    }
    writer->write(output);
    if (stop_requested()) return 128 + stop_signal();
  }
  if (impossible > 0) {
    spdlog::warn("{} of {} targets hold a character that the vocabulary lacks: see --allow-unknown",
                 impossible, lines);
  }
  return 0;
}

}  // namespace xformer
