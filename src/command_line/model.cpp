#include "command_line/commands.h"
#include "command_line/decoding.h"
#include "commands/average.h"
#include "commands/export.h"
#include "commands/import.h"
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
      "Hugging Face: a folder for from_pretrained() and generate() of the transformers package, "
      "with\n"
      "a MarianTokenizer; a MarianMTModel, or with model.norm \"pre\" a Pegasus.\n"
      "ONNX: there is no export of its own, as it would come without a search and a tokenizer; "
      "the\n"
      "optimum package makes one of the Hugging Face folder. What is fast on CPUs is CTranslate2.\n"
      "Examples:\n"
      "  xformer export --model model --to ctranslate2 --output model_ct2\n"
      "  xformer export --model model --to ctranslate2 --precision int8 --output model_ct2_int8\n"
      "  xformer export --model model --to huggingface --output model_hf");
  add_model(command, options->model);
  command.add_option("--to", options->to, "the tool")
      ->check(CLI::IsMember({"ctranslate2", "huggingface"}))
      ->capture_default_str();
  command.add_option("--output", options->output, "folder to write")->required();
  command.add_option("--precision", options->precision, "of the matrices: float32 or int8")
      ->check(CLI::IsMember({"float32", "int8"}))
      ->capture_default_str();
  command.add_flag("--overwrite", options->overwrite, "replace files in the folder");
  add_run(command, options, run_export, action);
}

void add_import(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ImportOptions>();
  auto& command = *app.add_subcommand("import", "Take over a model of another tool");
  command.footer(
      "--from is a folder of a Hugging Face Marian model, as OPUS-MT's are: config.json,\n"
      "model.safetensors, source.spm, target.spm, vocab.json and what belongs to them. Or the .npz "
      "of\n"
      "a Marian model, with its vocabulary and SentencePiece models beside it. The weights stay "
      "as\n"
      "they are; the result is a model like any other, to translate with, score with, fine-tune\n"
      "(train --init-from) and export.\n"
      "Examples:\n"
      "  xformer import --from opus-mt-en-de --output model\n"
      "  xformer import --from opus/model.npz --output model\n"
      "  xformer translate --model model < input.txt");
  command.add_option("--from", options->from, "folder or file")->required();
  command.add_option("--output", options->output, "folder of the model")->required();
  command.add_flag("--overwrite", options->overwrite, "replace a model that is in the folder");
  add_run(command, options, run_import, action);
}

void add_info(CLI::App& app, Action& action) {
  const auto options = std::make_shared<InfoOptions>();
  auto& command = *app.add_subcommand("info", "Tell versions and devices, or what is in a model");
  command.footer("Examples:\n  xformer info\n  xformer info --model model");
  command.add_option("--model", options->model, "folder of a model to describe");
  add_run(command, options, run_info, action);
}

}  // namespace xformer
