#include "commands/eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "commands/model_translator.h"
#include "runtime/error.h"
#include "runtime/line_writer.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"
#include "scoring/bleu.h"
#include "scoring/python_strings.h"
#include "text/line_reader.h"

namespace xformer {
namespace {

/// From as many such lines on, sacreBLEU takes a text for a tokenized one.
constexpr int64_t kManyTokenizedLines = 100;

struct TextFile {
  std::string name;
  std::vector<std::string> lines;
};

TextFile read_text_file(const std::string& name) {
  TextFile file{name, {}};
  LineReader reader(name);
  for (std::string line; reader.next(line);) file.lines.push_back(line);
  reader.warn_of_oddities();
  return file;
}

std::vector<TextFile> read_references(const std::vector<std::string>& names) {
  std::vector<TextFile> references;
  for (const std::string& name : names) references.push_back(read_text_file(name));
  return references;
}

/// What the model makes of the source, line by line.
TextFile translate(const TextFile& source, const EvalOptions& options) {
  auto decoding = options.decoding;
  decoding.scores = false;
  ModelTranslator model({model_folder_or_default(options.model)}, decoding, options.common);
  TextFile hypothesis{"the translation of " + source.name, {}};
  for (auto& translation : model.translator().translate(source.lines)) {
    if (stop_requested()) break;
    hypothesis.lines.push_back(std::move(translation.texts[0]));
  }
  return hypothesis;
}

void check_line_counts(const TextFile& hypothesis, const std::vector<TextFile>& references) {
  for (const TextFile& reference : references) {
    if (reference.lines.size() == hypothesis.lines.size()) continue;
    throw UserError(fmt::format("{} has {} lines and {} has {}, the numbers must be the same",
                                hypothesis.name, hypothesis.lines.size(), reference.name,
                                reference.lines.size()));
  }
  if (hypothesis.lines.empty()) {
    throw UserError(
        fmt::format("{} has 0 lines, there must be at least 1 to score", hypothesis.name));
  }
}

BleuCounts sum_counts(const TextFile& hypothesis, const std::vector<TextFile>& references,
                      const BleuOptions& options) {
  BleuCounts sum;
  std::vector<std::string_view> line_references(references.size());
  for (size_t i = 0; i < hypothesis.lines.size(); ++i) {
    for (size_t r = 0; r < references.size(); ++r) line_references[r] = references[r].lines[i];
    sum += count_line(hypothesis.lines[i], line_references, options);
  }
  return sum;
}

void warn_of_empty_lines(const TextFile& file, std::string_view consequence) {
  const auto empty = std::count_if(file.lines.begin(), file.lines.end(),
                                   [](const std::string& line) { return strip_end(line).empty(); });
  if (empty == 0) return;
  spdlog::warn("{}: {} of {} lines are empty: {}", file.name, empty, file.lines.size(),
               consequence);
}

/// Says what makes a score lower, or less comparable, than its reader may think.
void warn_of_pitfalls(const TextFile& hypothesis, const std::vector<TextFile>& references,
                      const BleuCounts& counts) {
  warn_of_empty_lines(hypothesis, "they count as translations without words");
  for (const TextFile& reference : references) {
    warn_of_empty_lines(reference, "nothing in their translations can match them");
  }
  const auto tokenized =
      std::count_if(hypothesis.lines.begin(), hypothesis.lines.end(),
                    [](const std::string& line) { return strip_end(line).ends_with(" ."); });
  if (tokenized >= kManyTokenizedLines) {
    spdlog::warn(
        "{}: {} lines end in a space and a full stop, as tokenized text does: BLEU is comparable "
        "on detokenized text only",
        hypothesis.name, tokenized);
  }
  if (counts.total[kBleuOrder - 1] == 0) {
    spdlog::warn("{}: no line has {} tokens, so that BLEU is 0 however well they match",
                 hypothesis.name, kBleuOrder);
  }
}

/// The object that sacreBLEU prints, with its keys in their order.
std::string to_json(const BleuScore& score, const std::string& signature) {
  nlohmann::ordered_json result{{"name", "BLEU"},
                                {"score", score.score},
                                {"signature", signature},
                                {"verbose_score", bleu_details(score)}};
  std::istringstream fields(signature);
  for (std::string field; std::getline(fields, field, '|');) {
    const size_t colon = field.find(':');
    result[field.substr(0, colon)] = field.substr(colon + 1);
  }
  return result.dump(1);
}

}  // namespace

int run_eval(const EvalOptions& options) {
  const bool translates = options.hypothesis.empty();
  TextFile hypothesis = read_text_file(translates ? options.source : options.hypothesis);
  const std::vector<TextFile> references = read_references(options.references);
  // Then the files may not have been read to their ends.
  if (stop_requested()) return 128 + stop_signal();
  check_line_counts(hypothesis, references);
  if (translates) hypothesis = translate(hypothesis, options);
  if (stop_requested()) return 128 + stop_signal();

  const BleuOptions bleu_options{.lowercase = options.lowercase};
  const BleuCounts counts = sum_counts(hypothesis, references, bleu_options);
  warn_of_pitfalls(hypothesis, references, counts);
  const BleuScore score = bleu(counts);
  const std::string signature = bleu_signature(references.size(), bleu_options);
  const std::string result =
      options.format == "json" ? to_json(score, signature) : to_string(score, signature, 1);
  LineWriter().write(result + "\n");
  return 0;
}

}  // namespace xformer
