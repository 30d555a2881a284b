#include "commands/plot.h"
#include "command_line/commands.h"
#include "command_line/decoding.h"

namespace xformer {
namespace {

/// What --help says of a picture.
struct PictureName {
  const char *name, *description;
};

template <class Options>
CLI::App& add_picture(CLI::App& plot, const PictureName& picture, Options& options) {
  auto& command = *plot.add_subcommand(picture.name, picture.description);
  command.add_option("--output", options.output, "file")->capture_default_str();
  return command;
}

void add_attention(CLI::App& plot, Action& action) {
  const auto options = std::make_shared<PlotAttentionOptions>();
  auto& command =
      add_picture(plot, {"attention", "What a model attends to: a page, or one picture"}, *options);
  command.footer(
      "Examples:\n"
      "  xformer plot attention --model model \"Ein Hund schläft.\"\n"
      "  xformer plot attention \"Ein Hund schläft.\" --translation \"A dog sleeps.\"\n"
      "  xformer plot attention --source test.de --target test.en --output test.html\n"
      "  xformer plot attention \"Ein Hund schläft.\" --layer 2 --head 3 --output dog.svg");
  add_model(command, options->model);
  auto* sentences = command.add_option("sentence", options->sentences,
                                       "source sentences; default: those of --source");
  command
      .add_option("--source", options->source,
                  "file with source sentences, one a line; default: standard input")
      ->excludes(sentences);
  auto* target = command.add_option("--target", options->target,
                                    "file with their translations; default: the model translates");
  command
      .add_option("--translation", options->translations, "a sentence's translation; repeatable")
      ->allow_extra_args(false)
      ->excludes(target);
  command.add_option("--kind", options->kind, "which attention to draw, or to show first")
      ->check(CLI::IsMember({"encoder-self", "decoder-self", "decoder-source"}))
      ->capture_default_str();
  command.add_option("--layer", options->layer, "the same, from 1; default: the last")
      ->check(CLI::Range(1, 1000));
  command.add_option("--head", options->head, "the same, from 1; default: the mean of all heads")
      ->check(CLI::Range(1, 1000));
  add_decoding(command, options->decoding);
  add_run(command, options, run_plot_attention, action);
}

void add_masks(CLI::App& plot, Action& action) {
  const auto options = std::make_shared<PlotMasksOptions>();
  auto& command =
      add_picture(plot, {"masks", "Which positions a target position may attend to"}, *options);
  command.add_option("--size", options->size, "positions")
      ->check(CLI::Range(2, 200))
      ->capture_default_str();
  add_run(command, options, run_plot_masks, action);
}

void add_positions(CLI::App& plot, Action& action) {
  const auto options = std::make_shared<PlotPositionsOptions>();
  auto& command = add_picture(plot, {"positions", "The positional encoding"}, *options);
  command.add_option("--d-model", options->d_model, "its width")
      ->check(CLI::Range(2, 1024))
      ->capture_default_str();
  command.add_option("--length", options->length, "positions")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  add_run(command, options, run_plot_positions, action);
}

void add_schedule(CLI::App& plot, Action& action) {
  const auto options = std::make_shared<PlotScheduleOptions>();
  auto& command =
      add_picture(plot, {"schedule", "The learning rate of one or more configurations"}, *options);
  command.add_option("config", options->configs,
                     "configuration files or model folders; default: The Annotated Transformer's "
                     "three settings");
  command
      .add_option("--updates", options->updates,
                  "where the curves end; default: two and a half times the longest warm-up")
      ->check(CLI::Range(int64_t{2}, int64_t{1'000'000'000}));
  add_run(command, options, run_plot_schedule, action);
}

void add_smoothing(CLI::App& plot, Action& action) {
  const auto options = std::make_shared<PlotSmoothingOptions>();
  auto& command =
      add_picture(plot, {"smoothing", "Label smoothing: the targets, and the loss"}, *options);
  command.add_option("--smoothing", options->smoothing, "share of all other words")
      ->check(number_between(0, 0.99))
      ->capture_default_str();
  add_run(command, options, run_plot_smoothing, action);
}

void add_training(CLI::App& plot, Action& action) {
  const auto options = std::make_shared<PlotTrainingOptions>();
  auto& command = add_picture(plot, {"training", "Curves of one or more trainings"}, *options);
  command.add_option("run", options->runs, "model folders or metrics.jsonl files")->required();
  add_run(command, options, run_plot_training, action);
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
  auto& plot = *app.add_subcommand("plot", "Draw what a model is, does and did");
  plot.require_subcommand(1);
  plot.footer(
      "Each picture has its own --help. Examples:\n"
      "  xformer plot attention --model model \"Ein Hund schläft.\"\n"
      "  xformer plot training model_a model_b\n"
      "  xformer plot schedule configs/transformer_base.json configs/transformer_big.json");
  add_attention(plot, action);
  add_masks(plot, action);
  add_positions(plot, action);
  add_schedule(plot, action);
  add_smoothing(plot, action);
  add_training(plot, action);
}

}  // namespace xformer
