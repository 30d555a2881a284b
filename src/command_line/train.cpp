#include "commands/train.h"
#include "command_line/commands.h"

namespace xformer {

void add_train(CLI::App& app, const std::vector<std::string>& arguments, Action& action) {
  const auto options = std::make_shared<TrainOptions>();
  options->arguments = arguments;
  auto& command = *app.add_subcommand("train", "Train a model");
  command.footer(
      "Examples:\n"
      "  xformer train --config configs/copy_task.json --output model\n"
      "  xformer train --config configs/multi30k_de_en.json --set training.num_epochs=20\n"
      "  xformer train --config configs/multi30k_de_en.json --processes 2\n"
      "  xformer train --resume --output model\n"
      "  xformer train --init-from model --set data.train.source=new.de --set "
      "data.train.target=new.en --output tuned");
  auto* config = command.add_option("--config", options->config, "JSON file, see configs/");
  command.add_option("--set", options->overrides, "key.path=value, overrules the file; repeatable")
      ->allow_extra_args(false);
  command.add_option("--output", options->output, "folder of the model")->capture_default_str();
  auto* resume = command.add_flag("--resume", options->resume,
                                  "go on where the training in the folder stopped");
  command.add_flag("--overwrite", options->overwrite, "replace a model that is in the folder")
      ->excludes(resume);
  auto* init_from =
      command
          .add_option(
              "--init-from", options->init_from,
              "folder of a model to fine-tune: its weights and vocabulary, a new optimizer; "
              "without --config, its configuration too")
          ->excludes(resume);
  command
      .add_option("--processes", options->processes,
                  "processes to train with on this machine; each takes training.accum_iter "
                  "micro-batches of an update")
      ->check(CLI::Range(1, 1024));
  add_run(command, options, run_train, action);
  command.callback([config, resume, init_from] {
    if (config->empty() && resume->empty() && init_from->empty()) {
      throw CLI::RequiredError("--config");
    }
  });
}

}  // namespace xformer
