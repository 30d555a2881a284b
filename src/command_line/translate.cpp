#include "commands/translate.h"
#include "command_line/commands.h"
#include "command_line/decoding.h"
#include "commands/score.h"
#include "commands/shortlist.h"

namespace xformer {

void add_translate(CLI::App& app, Action& action) {
  const auto options = std::make_shared<TranslateOptions>();
  auto& command = *app.add_subcommand("translate", "Translate lines");
  command.footer(
      "Line i of the output is the translation of line i; a blank line stays blank.\n"
      "Examples:\n"
      "  xformer translate < input.txt > output.txt\n"
      "  xformer translate --model model --beam-size 8 --n-best 3 --input input.txt\n"
      "  xformer translate --precision int8 --beam-size 1 < input.txt\n"
      "  xformer translate --sample --top-p 0.9 --seed 7 < input.txt\n"
      "  xformer translate --format jsonl --alignment < input.txt");
  add_models(command, options->models);
  command.add_option("--input", options->input, "file; default: standard input");
  command.add_option("--output", options->output, "file; default: standard output");
  auto* n_best =
      command
          .add_option(
              "--n-best", options->decoding.n_best,
              "write the N best of each line, as: line ||| text ||| score, lines counted "
              "from 0; the score is the "
              "natural log-probability, end of sentence included, over the length penalty, and by "
              "xformer's rules those that hit the limit come last")
          ->check(CLI::Range(1, 1000));
  command
      .add_option("--format", options->format,
                  "text, or jsonl: an object a line with tokens, log-probabilities, what was cut")
      ->check(CLI::IsMember({"text", "jsonl"}))
      ->capture_default_str();
  command.add_flag(
      "--alignment", options->decoding.alignment,
      "write \" ||| 0-0 1-2 ...\" behind each translation: for each of its words, "
      "counted from 0, the source word that its pieces attended to most; jsonl has the "
      "source token of each token");
  auto* prefixes = command.add_option("--prefix-file", options->prefix_file,
                                      "line i is what the translation of line i begins with; not "
                                      "counted by --max-length");
  command
      .add_option("--shortlist", options->decoding.shortlist,
                  "choose among the pieces that this file of xformer shortlist has for a line: "
                  "faster, and now and then another translation")
      ->excludes(prefixes);
  add_search(command, options->decoding);
  add_sampling(command, options->decoding);
  add_decoding(command, options->decoding);
  add_run(command, options, run_translate, action);
  command.callback([options, n_best] { options->n_best_format = !n_best->empty(); });
}

void add_score(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ScoreOptions>();
  auto& command = *app.add_subcommand("score", "Tell the log-probability of given translations");
  command.footer(
      "One number a line: the natural log-probability of line i of --target as the translation of\n"
      "line i of --source, end of sentence included, over the length penalty; the score that\n"
      "translate --n-best gives the same pieces under the same --length-penalty.\n"
      "Example:\n"
      "  xformer score --model model --source test.de --target test.en");
  add_models(command, options->models);
  command.add_option("--source", options->source, "text")->required();
  command.add_option("--target", options->target, "its translations")->required();
  command.add_option("--output", options->output, "file; default: standard output");
  auto& decoding = options->decoding;
  command.add_option("--length-penalty", decoding.length_penalty, "alpha; default: 0")
      ->check(number_between(0, 10));
  add_engine(command, decoding);
  add_run(command, options, run_score, action);
}

void add_shortlist(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ShortlistOptions>();
  auto& command = *app.add_subcommand(
      "shortlist", "Learn which pieces translate which, for translate --shortlist");
  command.footer(
      "Example:\n"
      "  xformer shortlist --model model --source train.de --target train.en\n"
      "  xformer translate --model model --shortlist model/shortlist.safetensors < input.txt");
  add_model(command, options->model);
  command.add_option("--source", options->source, "text that the model was trained on")->required();
  command.add_option("--target", options->target, "its translations")->required();
  command.add_option("--output", options->output,
                     "file; default: shortlist.safetensors in the model's folder");
  command
      .add_option("--frequent", options->frequent, "most frequent pieces that all lines may use")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  command.add_option("--best", options->best, "translations of each source piece")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_run(command, options, run_shortlist, action);
}

}  // namespace xformer
