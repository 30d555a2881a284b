// The command line: one subcommand a task, its options bound to that command's struct.
#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "commands/eval.h"
#include "commands/export.h"
#include "commands/info.h"
#include "commands/train.h"
#include "commands/translate.h"
#include "runtime/error.h"
#include "runtime/line_writer.h"
#include "runtime/log.h"
#include "runtime/stop_signal.h"

namespace xformer {
namespace {

constexpr int kFailed = 1, kUserMistake = 2;

/// CLI11's own Range lets nan pass.
CLI::Validator number_between(double low, double high) {
  const auto check = [=](const std::string& text) -> std::string {
    double value = 0;
    const bool within = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
    return within ? ""
                  : text + " is not a number from " + std::to_string(low) + " to " +
                        std::to_string(high);
  };
  return CLI::Validator(check, "NUMBER");
}

void add_common(CLI::App& command, CommonOptions& options) {
  command.add_option("--device", options.device, "auto, cpu, cuda or cuda:N")
      ->capture_default_str();
  command
      .add_option("--threads", options.threads, "CPU threads; default: one for each physical core")
      ->check(CLI::Range(1, 1024));
  command.add_option("--log-level", options.log_level, "how much is said on stderr")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kLogLevels), std::end(kLogLevels))))
      ->capture_default_str();
}

void add_decoding(CLI::App& command, DecodingOptions& options) {
  command
      .add_option("--beam-size", options.beam_size,
                  "hypotheses kept; 1 is greedy; default: the model's")
      ->check(CLI::Range(1, 1000));
  command
      .add_option(
          "--length-penalty", options.length_penalty,
          "alpha in score = log-probability / ((5 + pieces) / 6)^alpha; default: the model's")
      ->check(number_between(0, 10));
  command
      .add_option("--max-length", options.max_length,
                  "most pieces of a translation; default: in proportion to the source")
      ->check(CLI::Range(1, 1000000));
  command.add_option("--batch-tokens", options.batch_tokens, "padded source pieces of one batch")
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  command.add_flag("--allow-unknown", options.allow_unknown, "let <unk> be chosen");
}

void add_train(CLI::App& app, TrainOptions& options) {
  auto& command = *app.add_subcommand("train", "Train a model");
  command.footer(
      "Examples:\n"
      "  xformer train --config configs/copy_task.json --output model\n"
      "  xformer train --config configs/multi30k_de_en.json --set training.num_epochs=20\n"
      "  xformer train --resume --output model");
  auto* config = command.add_option("--config", options.config, "JSON file, see configs/");
  command.add_option("--set", options.overrides, "key.path=value, overrules the file; repeatable")
      ->allow_extra_args(false);
  command.add_option("--output", options.output, "folder of the model")->capture_default_str();
  auto* resume = command.add_flag("--resume", options.resume,
                                  "go on where the training in the folder stopped");
  command.add_flag("--overwrite", options.overwrite, "replace a model that is in the folder")
      ->excludes(resume);
  add_common(command, options.common);
  command.callback([&options, config, resume] {
    if (config->empty() && resume->empty()) throw CLI::RequiredError("--config");
  });
}

void add_translate(CLI::App& app, TranslateOptions& options) {
  auto& command = *app.add_subcommand("translate", "Translate lines");
  command.footer(
      "Line i of the output is the translation of line i; a blank line stays blank.\n"
      "Examples:\n"
      "  xformer translate < input.txt > output.txt\n"
      "  xformer translate --model model --beam-size 8 --n-best 3 --input input.txt");
  command.add_option("--model", options.model, "folder; default: $XFORMER_MODEL, else ./model");
  command.add_option("--input", options.input, "file; default: standard input");
  command.add_option("--output", options.output, "file; default: standard output");
  auto* n_best =
      command
          .add_option("--n-best", options.n_best,
                      "write the N best of each line, as: line ||| text ||| score, lines counted "
                      "from 0; the score is the "
                      "natural log-probability, end of sentence included, over the length penalty")
          ->check(CLI::Range(1, 1000));
  add_decoding(command, options.decoding);
  add_common(command, options.common);
  command.callback([&options, n_best] { options.n_best_format = !n_best->empty(); });
}

void add_eval(CLI::App& app, EvalOptions& options) {
  auto& command = *app.add_subcommand("eval", "Score translations with BLEU");
  command.footer(
      "Examples:\n"
      "  xformer eval --hypothesis output.en --reference test.en\n"
      "  xformer eval --model model --source test.de --reference test.en");
  auto* hypothesis =
      command.add_option("--hypothesis", options.hypothesis, "translations to score");
  command
      .add_option("--model", options.model,
                  "model that translates --source; default: $XFORMER_MODEL, else ./model")
      ->excludes(hypothesis);
  auto* source =
      command.add_option("--source", options.source, "text that the model translates first");
  command.add_option("--reference", options.references, "reference translations; repeatable")
      ->required()
      ->allow_extra_args(false);
  command.add_flag("--lowercase", options.lowercase, "ignore case");
  command.add_option("--format", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_decoding(command, options.decoding);
  add_common(command, options.common);
  command.callback([hypothesis, source] {
    if (hypothesis->empty() == source->empty()) {
      throw CLI::RequiredError("exactly one of --hypothesis and --source");
    }
  });
}

void add_export(CLI::App& app, ExportOptions& options) {
  auto& command = *app.add_subcommand("export", "Write a model for another tool");
  command.footer(
      "CTranslate2: pieces in, pieces out, as the SentencePiece models beside them make them. The\n"
      "library adds </s> to the source by itself. Forbid <unk> there (disable_unk) as it is here.\n"
      "For ONNX, which needs a search and a tokenizer of its own, there is no export.\n"
      "Example:\n"
      "  xformer export --model model --to ctranslate2 --output model_ct2");
  command.add_option("--model", options.model, "folder; default: $XFORMER_MODEL, else ./model");
  command.add_option("--to", options.to, "the tool")
      ->check(CLI::IsMember({"ctranslate2"}))
      ->capture_default_str();
  command.add_option("--output", options.output, "folder to write")->required();
  command.add_option("--precision", options.precision, "of the matrices: float32 or int8")
      ->check(CLI::IsMember({"float32", "int8"}))
      ->capture_default_str();
  command.add_flag("--overwrite", options.overwrite, "replace files in the folder");
  add_common(command, options.common);
}

void add_info(CLI::App& app, InfoOptions& options) {
  auto& command = *app.add_subcommand("info", "Tell versions and devices, or what is in a model");
  command.footer("Examples:\n  xformer info\n  xformer info --model model");
  command.add_option("--model", options.model, "folder of a model to describe");
  add_common(command, options.common);
}

int run_command(int argc, char** argv) {
  CLI::App app{"Trains Transformer translation models and translates with them."};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("xformer ") + XFORMER_VERSION);
  TrainOptions train;
  TranslateOptions translate;
  EvalOptions eval;
  ExportOptions export_options;
  InfoOptions info;
  add_train(app, train);
  add_translate(app, translate);
  add_eval(app, eval);
  add_export(app, export_options);
  add_info(app, info);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw UserError(error.what());
  }

  watch_stop_signals();
  auto run = [&](const CommonOptions& common, auto&& command, const auto& options) {
    start_log(common.log_level);
    return command(options);
  };
  if (app.got_subcommand("train")) return run(train.common, run_train, train);
  if (app.got_subcommand("translate")) return run(translate.common, run_translate, translate);
  if (app.got_subcommand("eval")) return run(eval.common, run_eval, eval);
  if (app.got_subcommand("export")) {
    return run(export_options.common, run_export, export_options);
  }
  return run(info.common, run_info, info);
}

int report(const std::exception& error, int status) {
  std::cerr << "xformer: " << error.what() << std::endl;
  return status;
}

}  // namespace
}  // namespace xformer

int main(int argc, char** argv) {
  using namespace xformer;
  try {
    return run_command(argc, argv);
  } catch (const UserError& error) {
    return report(error, kUserMistake);
  } catch (const ClosedPipe&) {
    return 128 + SIGPIPE;
  } catch (const std::exception& error) {
    return report(error, kFailed);
  }
}
