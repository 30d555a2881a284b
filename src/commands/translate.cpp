#include "commands/translate.h"

#include <fmt/core.h>
#include <unistd.h>

#include <memory>

#include "commands/model_translator.h"
#include "commands/output_text.h"
#include "commands/translation_format.h"
#include "commands/translation_tally.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/progress.h"
#include "runtime/stop_signal.h"
#include "text/line_reader.h"
#include "text/text_survey.h"

namespace xformer {
namespace {

/// At least one line, waiting for it, and as many more as are at hand.
std::vector<std::string> read_ahead(LineReader& reader) {
  std::vector<std::string> lines;
  for (std::string line;
       lines.size() < kReadAhead && (lines.empty() || reader.ready()) && reader.next(line);) {
    lines.push_back(std::move(line));
  }
  return lines;
}

/// The prefix of each line; a file that ends sooner is a mistake.
std::vector<std::string> read_prefixes(LineReader* reader, size_t count, const std::string& file) {
  std::vector<std::string> prefixes;
  if (reader == nullptr) return prefixes;
  for (std::string line; prefixes.size() < count; prefixes.push_back(line)) {
    if (reader->next(line) || stop_requested()) continue;
    throw UserError(
        fmt::format("--prefix-file {} has {} lines, must have one for each line of text", file,
                    reader->count()));
  }
  return prefixes;
}

struct Streams {
  LineReader reader;
  std::unique_ptr<LineReader> prefixes;  ///< or null
  std::unique_ptr<LineWriter> writer;
  int64_t total;  ///< lines, 0 when that is not known
};

/// The writer is left out: it would empty a file before the model is known to be there.
Streams open_input(const TranslateOptions& options) {
  const std::filesystem::path input = options.input, prefixes = options.prefix_file;
  const bool countable = isatty(STDERR_FILENO) != 0 && std::filesystem::is_regular_file(input);
  return {.reader = input.empty() ? LineReader(STDIN_FILENO, "standard input") : LineReader(input),
          .prefixes = prefixes.empty() ? nullptr : std::make_unique<LineReader>(prefixes),
          .writer = nullptr,
          .total = countable ? survey_text(input).lines : 0};
}

void translate_lines(ModelTranslator& model, Streams& streams, const TranslateOptions& options) {
  const TranslationFormat format{.json = options.format == "jsonl",
                                 .n_best = options.n_best_format,
                                 .alignment = options.decoding.alignment};
  const auto start = std::chrono::steady_clock::now();
  WorkProgress progress("translated", "lines", streams.total);
  model.translator().on_progress([&](size_t lines) { progress.add(static_cast<int64_t>(lines)); });
  TranslationTally tally;
  while (!stop_requested()) {
    const auto lines = read_ahead(streams.reader);
    if (lines.empty()) break;
    const auto prefixes = read_prefixes(streams.prefixes.get(), lines.size(), options.prefix_file);
    if (stop_requested()) break;
    const auto translations = model.translator().translate(lines, prefixes);
    clear_progress_line();  // the output may go to the same terminal
    std::string output;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (translations[i].texts.empty()) break;  // a stop signal came before this line
      tally.count(translations[i], lines[i], model.options.max_source_length);
      output += format_translation(translations[i], tally.lines() - 1, model.vocabulary(), format);
    }
    streams.writer->write(output);
  }
  streams.reader.warn_of_oddities();
  tally.report();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  spdlog::info("{} lines in {:.3f} s, {:.1f} lines/s, {}", tally.lines(), spent.count(),
               static_cast<double>(tally.lines()) / spent.count(), model.compute());
}

}  // namespace

int run_translate(const TranslateOptions& options) {
  const auto models = describe_models(options.models, options.decoding);
  Streams streams = open_input(options);
  auto decoding = options.decoding;
  decoding.scores = options.n_best_format || options.format == "jsonl";
  ModelTranslator model(models, decoding, options.common);
  std::vector<std::string> inputs = {options.input};
  if (!options.prefix_file.empty()) inputs.push_back(options.prefix_file);
  streams.writer = open_output(options.output, inputs);
  translate_lines(model, streams, options);
  return stop_requested() ? 128 + stop_signal() : 0;
}

}  // namespace xformer
