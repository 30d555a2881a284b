#include "command_line/commands.h"
#include "commands/average.h"
#include "commands/export.h"
#include "commands/info.h"

namespace xformer {

void add_average(CLI::App& app, Action& action) {
  const auto options = std::make_shared<AverageOptions>();
  auto& command = *app.add_subcommand("average", "Make a model of the mean of several");
  command.footer(
      "Examples:\n"
      "  xformer average --model model --last 5 --output averaged\n"
      "  xformer average model_a model_b --output averaged");
  auto* models = command.add_option("models", options->models, "model folders");
  command
      .add_option("--model", options->model,
                  "folder whose checkpoints are averaged; default: $XFORMER_MODEL, else ./model")
      ->excludes(models);
  command.add_option("--last", options->last, "newest checkpoints to take; default: all there are")
      ->check(CLI::Range(1, 1000000))
      ->excludes(models);
  command.add_option("--output", options->output, "folder to write")->required();
  command.add_flag("--overwrite", options->overwrite, "replace files in the folder");
  add_run(command, options, run_average, action);
}

void add_export(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ExportOptions>();
  auto& command = *app.add_subcommand("export", "Write a model for another tool");
  command.footer(
      "CTranslate2: pieces in, pieces out, as the SentencePiece models beside them make them. The\n"
      "library adds </s> to the source by itself. Forbid <unk> there (disable_unk) as it is here.\n"
      "For ONNX, which needs a search and a tokenizer of its own, there is no export.\n"
      "Example:\n"
      "  xformer export --model model --to ctranslate2 --output model_ct2");
  command.add_option("--model", options->model, "folder; default: $XFORMER_MODEL, else ./model");
  command.add_option("--to", options->to, "the tool")
      ->check(CLI::IsMember({"ctranslate2"}))
      ->capture_default_str();
  command.add_option("--output", options->output, "folder to write")->required();
  command.add_option("--precision", options->precision, "of the matrices: float32 or int8")
      ->check(CLI::IsMember({"float32", "int8"}))
      ->capture_default_str();
  command.add_flag("--overwrite", options->overwrite, "replace files in the folder");
  add_run(command, options, run_export, action);
}

void add_info(CLI::App& app, Action& action) {
  const auto options = std::make_shared<InfoOptions>();
  auto& command = *app.add_subcommand("info", "Tell versions and devices, or what is in a model");
  command.footer("Examples:\n  xformer info\n  xformer info --model model");
  command.add_option("--model", options->model, "folder of a model to describe");
  add_run(command, options, run_info, action);
}

}  // namespace xformer
