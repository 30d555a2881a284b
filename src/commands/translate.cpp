#include "commands/translate.h"

#include <fmt/core.h>
#include <unistd.h>

#include "commands/compute.h"
#include "commands/model_translator.h"
#include "runtime/line_writer.h"
#include "runtime/log.h"
#include "runtime/progress.h"
#include "runtime/stop_signal.h"
#include "text/line_reader.h"
#include "text/text_survey.h"

namespace xformer {
namespace {

/// Lines read ahead, so that those of similar length can share a batch.
constexpr size_t kReadAhead = 4096;

struct Tally {
  int64_t lines = 0, blank = 0, cut = 0, hit_limit = 0;
};

/// At least one line, waiting for it, and as many more as are at hand.
std::vector<std::string> read_ahead(LineReader& reader) {
  std::vector<std::string> lines;
  for (std::string line;
       lines.size() < kReadAhead && (lines.empty() || reader.ready()) && reader.next(line);) {
    lines.push_back(std::move(line));
  }
  return lines;
}

void count(const Translation& translation, int64_t max_source_length, Tally& tally) {
  ++tally.lines;
  tally.blank += translation.blank;
  tally.hit_limit += translation.hypotheses[0].hit_limit;
  if (!translation.source_cut) return;
  ++tally.cut;
  spdlog::warn("line {}: {} pieces long, cut to the first {}", tally.lines,
               translation.source_pieces, max_source_length);
}

std::string output_lines(const Translation& translation, int64_t line, bool n_best_format) {
  if (!n_best_format) return translation.texts[0] + '\n';
  std::string text;
  for (size_t i = 0; i < translation.texts.size(); ++i) {
    text += fmt::format("{} ||| {} ||| {:.6f}\n", line, translation.texts[i],
                        translation.hypotheses[i].score);
  }
  return text;
}

void translate_lines(ModelTranslator& translator, LineReader& reader, LineWriter& writer,
                     bool n_best_format, WorkProgress& progress) {
  Tally tally;
  const auto on_lines = [&](int64_t count) { progress.add(count); };
  while (!stop_requested()) {
    const auto lines = read_ahead(reader);
    if (lines.empty()) break;
    std::string output;
    for (const auto& translation : translator.translate(lines, on_lines)) {
      if (translation.texts.empty()) break;  // a stop signal came before this line
      count(translation, translator.options().max_source_length, tally);
      output += output_lines(translation, tally.lines - 1, n_best_format);
    }
    clear_progress_line();  // the output may go to the same terminal
    writer.write(output);
  }
  reader.warn_of_oddities();
  if (tally.blank > 0) spdlog::info("{} of {} lines were blank", tally.blank, tally.lines);
  if (tally.cut > 0) spdlog::warn("{} of {} lines were cut", tally.cut, tally.lines);
  if (tally.hit_limit > 0) {
    spdlog::warn("{} of {} lines hit the length limit", tally.hit_limit, tally.lines);
  }
}

/// 0 where that cannot be known without reading them.
int64_t lines_to_come(const TranslateOptions& options) {
  return std::filesystem::is_regular_file(options.input) ? survey_text(options.input).lines : 0;
}

}  // namespace

int run_translate(const TranslateOptions& options) {
  const std::string folder = model_folder_or_default(options.model);
  // Before anything that takes time.
  translator_options(options.decoding, read_model_config(folder), options.n_best);
  LineReader reader = options.input.empty() ? LineReader(STDIN_FILENO, "standard input")
                                            : LineReader(std::filesystem::path(options.input));
  const auto device = start_compute(options.common);
  ModelTranslator translator(folder, options.decoding, options.n_best, device);
  LineWriter writer = options.output.empty() ? LineWriter() : LineWriter(options.output);
  WorkProgress progress("translated", "lines", lines_to_come(options));
  translate_lines(translator, reader, writer, options.n_best_format, progress);
  return stop_requested() ? 128 + stop_signal() : 0;
}

}  // namespace xformer
