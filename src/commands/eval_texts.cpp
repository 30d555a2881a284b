#include "commands/eval_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"

namespace xformer {
namespace {

/// From as many such lines on, sacreBLEU takes a text for a tokenized one.
constexpr size_t kManyTokenizedLines = 100;

std::vector<std::string> system_names(const EvalOptions& options) {
  std::vector<std::string> names;
  if (!options.baseline.empty()) names.push_back(options.baseline);
  for (const std::string& name : options.hypotheses) {
    if (name == options.baseline) {
      throw UserError("--hypothesis " + name + " is the --baseline too, must be another file");
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw UserError("--hypothesis " + name + " is given twice, must be given once");
    }
    names.push_back(name);
  }
  return names;
}

std::vector<TextLines> read_all(const std::vector<std::string>& names) {
  std::vector<TextLines> texts;
  for (const std::string& name : names) texts.push_back(TextLines::read(name));
  return texts;
}

void check_same_size(const TextLines& first, const TextLines& other) {
  if (first.size() == other.size()) return;
  throw UserError(fmt::format("{} has {} lines and {} has {}, the numbers must be the same",
                              first.name(), first.size(), other.name(), other.size()));
}

void check_line_counts(const EvalTexts& texts) {
  const TextLines& first = texts.systems.empty() ? *texts.source : texts.systems.front();
  for (const TextLines& system : texts.systems) check_same_size(first, system);
  for (const TextLines& reference : texts.references) check_same_size(first, reference);
  if (texts.source) check_same_size(first, *texts.source);
  if (first.size() == 0) {
    throw UserError(fmt::format("{} has 0 lines, there must be at least 1 to score", first.name()));
  }
}

template <typename Condition>
size_t count_lines_if(const TextLines& text, Condition condition) {
  size_t count = 0;
  for (size_t i = 0; i < text.size(); ++i) count += condition(text[i]);
  return count;
}

void warn_of_empty_lines(const TextLines& text, std::string_view consequence) {
  const size_t empty = count_lines_if(text, [](std::string_view line) { return line.empty(); });
  if (empty == 0) return;
  spdlog::warn("{}: {} of {} lines are empty: {}", text.name(), empty, text.size(), consequence);
}

void warn_of_tokenized_text(const TextLines& text) {
  const size_t tokenized =
      count_lines_if(text, [](std::string_view line) { return line.ends_with(" ."); });
  if (tokenized < kManyTokenizedLines) return;
  spdlog::warn(
      "{}: {} lines end in a space and a full stop, as tokenized text does: BLEU is comparable on "
      "detokenized text only",
      text.name(), tokenized);
}

}  // namespace

EvalTexts read_texts(const EvalOptions& options) {
  EvalTexts texts;
  texts.systems = read_all(system_names(options));
  texts.references = read_all(options.references);
  if (!options.source.empty()) texts.source = TextLines::read(options.source);
  if (!stop_requested()) check_line_counts(texts);
  return texts;
}

void warn_of_pitfalls(const EvalTexts& texts, const EvalOptions& options) {
  const auto& metrics = options.metrics.names;
  const bool has_bleu = std::find(metrics.begin(), metrics.end(), "bleu") != metrics.end();
  for (const TextLines& system : texts.systems) {
    warn_of_empty_lines(system, "they count as translations without words");
    if (has_bleu) warn_of_tokenized_text(system);
  }
  for (const TextLines& reference : texts.references) {
    warn_of_empty_lines(reference, "nothing in their translations can match them");
  }
}

}  // namespace xformer
