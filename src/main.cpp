// The command line: one subcommand a task, its options bound to that command's struct.
#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>
#include <limits>

#include "command_line/eval.h"
#include "commands/export.h"
#include "commands/import.h"
#include "commands/info.h"
#include "commands/plot.h"
#include "commands/score.h"
#include "commands/shortlist.h"
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

void add_engine(CLI::App& command, DecodingOptions& options) {
  command.add_option("--batch-tokens", options.batch_tokens, "padded source pieces of one batch")
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  command.add_flag("--allow-unknown", options.allow_unknown, "let <unk> be chosen");
  command.add_option("--target-language", options.target_language,
                     "of a model that knows several, as fra or >>fra<<: its token is put in front "
                     "of lines that do not begin with one; see info --model");
  command
      .add_option("--precision", options.precision,
                  "of the weights: float32 or int8; on a GPU float32, bfloat16 or float16")
      ->check(CLI::IsMember({"float32", "bfloat16", "float16", "int8"}))
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
  add_engine(command, options);
}

void add_models(CLI::App& command, std::vector<std::string>& models) {
  command
      .add_option("--model", models,
                  "folder; default: $XFORMER_MODEL, else ./model; given several times, the mean of "
                  "the models' probabilities counts")
      ->allow_extra_args(false);
}

void add_search(CLI::App& command, DecodingOptions& options) {
  command
      .add_option("--search", options.search,
                  "whose rules and score: xformer, or ctranslate2 or huggingface, whose length "
                  "penalty is n^alpha; default: the model's")
      ->check(CLI::IsMember({"xformer", "ctranslate2", "huggingface"}));
  command
      .add_option("--min-length", options.min_length, "least pieces of a translation; default: 0")
      ->check(CLI::Range(1, 1000000));
  command
      .add_option("--no-repeat-ngram", options.no_repeat_ngram,
                  "let no n-gram of N pieces come twice in a translation")
      ->check(CLI::Range(1, 1000));
}

void add_sampling(CLI::App& command, DecodingOptions& options) {
  auto* sample = command.add_flag("--sample", options.sample,
                                  "draw each piece from the model's distribution instead of "
                                  "searching; --n-best draws so many translations");
  command.add_option("--top-k", options.top_k, "draw from the K best pieces; default: from all")
      ->check(CLI::Range(1, 1000000))
      ->needs(sample);
  command
      .add_option("--top-p", options.top_p,
                  "draw from the fewest pieces that have this share of the probability")
      ->check(number_between(1e-9, 1))
      ->needs(sample)
      ->capture_default_str();
  command
      .add_option("--temperature", options.temperature,
                  "below 1 the likely becomes likelier, above 1 less so")
      ->check(number_between(1e-3, 1000))
      ->needs(sample)
      ->capture_default_str();
  command.add_option("--seed", options.seed, "the same seed draws the same, whatever the batches")
      ->check(CLI::Range(int64_t{0}, std::numeric_limits<int64_t>::max()))
      ->needs(sample)
      ->capture_default_str();
}

void add_train(CLI::App& app, TrainOptions& options) {
  auto& command = *app.add_subcommand("train", "Train a model");
  command.footer(
      "Examples:\n"
      "  xformer train --config configs/copy_task.json --output model\n"
      "  xformer train --config configs/multi30k_de_en.json --set training.num_epochs=20\n"
      "  xformer train --config configs/multi30k_de_en.json --processes 2\n"
      "  xformer train --resume --output model\n"
      "  xformer train --init-from model --set data.train.source=new.de --set "
      "data.train.target=new.en --output tuned");
  auto* config = command.add_option("--config", options.config, "JSON file, see configs/");
  command.add_option("--set", options.overrides, "key.path=value, overrules the file; repeatable")
      ->allow_extra_args(false);
  command.add_option("--output", options.output, "folder of the model")->capture_default_str();
  auto* resume = command.add_flag("--resume", options.resume,
                                  "go on where the training in the folder stopped");
  command.add_flag("--overwrite", options.overwrite, "replace a model that is in the folder")
      ->excludes(resume);
  auto* init_from =
      command
          .add_option(
              "--init-from", options.init_from,
              "folder of a model to fine-tune: its weights and vocabulary, a new optimizer; "
              "without --config, its configuration too")
          ->excludes(resume);
  command
      .add_option("--processes", options.processes,
                  "processes to train with on this machine; each takes training.accum_iter "
                  "micro-batches of an update")
      ->check(CLI::Range(1, 1024));
  add_common(command, options.common);
  command.callback([config, resume, init_from] {
    if (config->empty() && resume->empty() && init_from->empty()) {
      throw CLI::RequiredError("--config");
    }
  });
}

void add_translate(CLI::App& app, TranslateOptions& options) {
  auto& command = *app.add_subcommand("translate", "Translate lines");
  command.footer(
      "Line i of the output is the translation of line i; a blank line stays blank.\n"
      "Examples:\n"
      "  xformer translate < input.txt > output.txt\n"
      "  xformer translate --model model --beam-size 8 --n-best 3 --input input.txt\n"
      "  xformer translate --precision int8 --beam-size 1 < input.txt\n"
      "  xformer translate --sample --top-p 0.9 --seed 7 < input.txt\n"
      "  xformer translate --format jsonl --alignment < input.txt");
  add_models(command, options.models);
  command.add_option("--input", options.input, "file; default: standard input");
  command.add_option("--output", options.output, "file; default: standard output");
  auto* n_best =
      command
          .add_option("--n-best", options.decoding.n_best,
                      "write the N best of each line, as: line ||| text ||| score, lines counted "
                      "from 0; the score is the "
                      "natural log-probability, end of sentence included, over the length penalty")
          ->check(CLI::Range(1, 1000));
  command
      .add_option("--format", options.format,
                  "text, or jsonl: an object a line with tokens, log-probabilities, what was cut")
      ->check(CLI::IsMember({"text", "jsonl"}))
      ->capture_default_str();
  command.add_flag(
      "--alignment", options.decoding.alignment,
      "write \" ||| 0-0 1-2 ...\" behind each translation: for each of its words, "
      "counted from 0, the source word that its pieces attended to most; jsonl has the "
      "source token of each token");
  auto* prefixes = command.add_option("--prefix-file", options.prefix_file,
                                      "line i is what the translation of line i begins with; not "
                                      "counted by --max-length");
  command
      .add_option("--shortlist", options.decoding.shortlist,
                  "choose among the pieces that this file of xformer shortlist has for a line: "
                  "faster, and now and then another translation")
      ->excludes(prefixes);
  add_search(command, options.decoding);
  add_sampling(command, options.decoding);
  add_decoding(command, options.decoding);
  add_common(command, options.common);
  command.callback([&options, n_best] { options.n_best_format = !n_best->empty(); });
}

void add_score(CLI::App& app, ScoreOptions& options) {
  auto& command = *app.add_subcommand("score", "Tell the log-probability of given translations");
  command.footer(
      "One number a line: the natural log-probability of line i of --target as the translation of\n"
      "line i of --source, end of sentence included, over the length penalty; the score that\n"
      "translate --n-best gives the same pieces under the same --length-penalty.\n"
      "Example:\n"
      "  xformer score --model model --source test.de --target test.en");
  add_models(command, options.models);
  command.add_option("--source", options.source, "text")->required();
  command.add_option("--target", options.target, "its translations")->required();
  command.add_option("--output", options.output, "file; default: standard output");
  auto& decoding = options.decoding;
  command.add_option("--length-penalty", decoding.length_penalty, "alpha; default: 0")
      ->check(number_between(0, 10));
  add_engine(command, decoding);
  add_common(command, options.common);
}

void add_shortlist(CLI::App& app, ShortlistOptions& options) {
  auto& command = *app.add_subcommand(
      "shortlist", "Learn which pieces translate which, for translate --shortlist");
  command.footer(
      "Example:\n"
      "  xformer shortlist --model model --source train.de --target train.en\n"
      "  xformer translate --model model --shortlist model/shortlist.safetensors < input.txt");
  command.add_option("--model", options.model, "folder; default: $XFORMER_MODEL, else ./model");
  command.add_option("--source", options.source, "text that the model was trained on")->required();
  command.add_option("--target", options.target, "its translations")->required();
  command.add_option("--output", options.output,
                     "file; default: shortlist.safetensors in the model's folder");
  command.add_option("--frequent", options.frequent, "most frequent pieces that all lines may use")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  command.add_option("--best", options.best, "translations of each source piece")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_common(command, options.common);
}

void add_export(CLI::App& app, ExportOptions& options) {
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
  command.add_option("--model", options.model, "folder; default: $XFORMER_MODEL, else ./model");
  command.add_option("--to", options.to, "the tool")
      ->check(CLI::IsMember({"ctranslate2", "huggingface"}))
      ->capture_default_str();
  command.add_option("--output", options.output, "folder to write")->required();
  command.add_option("--precision", options.precision, "of the matrices: float32 or int8")
      ->check(CLI::IsMember({"float32", "int8"}))
      ->capture_default_str();
  command.add_flag("--overwrite", options.overwrite, "replace files in the folder");
  add_common(command, options.common);
}

void add_import(CLI::App& app, ImportOptions& options) {
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
  command.add_option("--from", options.from, "folder or file")->required();
  command.add_option("--output", options.output, "folder of the model")->required();
  command.add_flag("--overwrite", options.overwrite, "replace a model that is in the folder");
  add_common(command, options.common);
}

void add_info(CLI::App& app, InfoOptions& options) {
  auto& command = *app.add_subcommand("info", "Tell versions and devices, or what is in a model");
  command.footer("Examples:\n  xformer info\n  xformer info --model model");
  command.add_option("--model", options.model, "folder of a model to describe");
  add_common(command, options.common);
}

/// One picture's subcommand, with what all of them take.
template <class Options>
CLI::App& add_picture(CLI::App& plot, const char* name, const char* description, Options& options) {
  auto& command = *plot.add_subcommand(name, description);
  command.add_option("--output", options.output, "file")->capture_default_str();
  add_common(command, options.common);
  return command;
}

struct PlotOptions {
  PlotAttentionOptions attention;
  PlotMasksOptions masks;
  PlotPositionsOptions positions;
  PlotScheduleOptions schedule;
  PlotSmoothingOptions smoothing;
  PlotTrainingOptions training;
};

void add_plot_attention(CLI::App& plot, PlotAttentionOptions& options) {
  auto& command =
      add_picture(plot, "attention", "What a model attends to: a page, or one picture", options);
  command.footer(
      "Examples:\n"
      "  xformer plot attention --model model \"Ein Hund schläft.\"\n"
      "  xformer plot attention \"Ein Hund schläft.\" --translation \"A dog sleeps.\"\n"
      "  xformer plot attention --source test.de --target test.en --output test.html\n"
      "  xformer plot attention \"Ein Hund schläft.\" --layer 2 --head 3 --output dog.svg");
  command.add_option("--model", options.model, "folder; default: $XFORMER_MODEL, else ./model");
  auto* sentences = command.add_option("sentence", options.sentences,
                                       "source sentences; default: those of --source");
  command
      .add_option("--source", options.source,
                  "file with source sentences, one a line; default: standard input")
      ->excludes(sentences);
  auto* target = command.add_option("--target", options.target,
                                    "file with their translations; default: the model translates");
  command.add_option("--translation", options.translations, "a sentence's translation; repeatable")
      ->allow_extra_args(false)
      ->excludes(target);
  command.add_option("--kind", options.kind, "which attention to draw, or to show first")
      ->check(CLI::IsMember({"encoder-self", "decoder-self", "decoder-source"}))
      ->capture_default_str();
  command.add_option("--layer", options.layer, "the same, from 1; default: the last")
      ->check(CLI::Range(1, 1000));
  command.add_option("--head", options.head, "the same, from 1; default: the mean of all heads")
      ->check(CLI::Range(1, 1000));
  add_decoding(command, options.decoding);
}

void add_plot(CLI::App& app, PlotOptions& options) {
  auto& plot = *app.add_subcommand("plot", "Draw what a model is, does and did");
  plot.require_subcommand(1);
  plot.footer(
      "Each picture has its own --help. Examples:\n"
      "  xformer plot attention --model model \"Ein Hund schläft.\"\n"
      "  xformer plot training model_a model_b\n"
      "  xformer plot schedule configs/transformer_base.json configs/transformer_big.json");
  add_plot_attention(plot, options.attention);
  add_picture(plot, "masks", "Which positions a target position may attend to", options.masks)
      .add_option("--size", options.masks.size, "positions")
      ->check(CLI::Range(2, 200))
      ->capture_default_str();
  auto& positions = add_picture(plot, "positions", "The positional encoding", options.positions);
  positions.add_option("--d-model", options.positions.d_model, "its width")
      ->check(CLI::Range(2, 1024))
      ->capture_default_str();
  positions.add_option("--length", options.positions.length, "positions")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  auto& schedule = add_picture(plot, "schedule", "The learning rate of one or more configurations",
                               options.schedule);
  schedule.add_option("config", options.schedule.configs,
                      "configuration files or model folders; default: The Annotated Transformer's "
                      "three settings");
  schedule
      .add_option("--updates", options.schedule.updates,
                  "where the curves end; default: two and a half times the longest warm-up")
      ->check(CLI::Range(int64_t{2}, int64_t{1'000'000'000}));
  add_picture(plot, "smoothing", "Label smoothing: the targets, and the loss", options.smoothing)
      .add_option("--smoothing", options.smoothing.smoothing, "share of all other words")
      ->check(number_between(0, 0.99))
      ->capture_default_str();
  add_picture(plot, "training", "Curves of one or more trainings", options.training)
      .add_option("run", options.training.runs, "model folders or metrics.jsonl files")
      ->required();
}

/// Runs the picture's subcommand that was given.
template <class Run>
int run_plot(const CLI::App& plot, const PlotOptions& options, Run&& run) {
  auto draw = [&](auto&& command, const auto& picture) {
    return run(picture.common, command, picture);
  };
  if (plot.got_subcommand("attention")) return draw(run_plot_attention, options.attention);
  if (plot.got_subcommand("masks")) return draw(run_plot_masks, options.masks);
  if (plot.got_subcommand("positions")) return draw(run_plot_positions, options.positions);
  if (plot.got_subcommand("schedule")) return draw(run_plot_schedule, options.schedule);
  if (plot.got_subcommand("smoothing")) return draw(run_plot_smoothing, options.smoothing);
  return draw(run_plot_training, options.training);
}

int run_command(int argc, char** argv) {
  CLI::App app{"Trains Transformer translation models and translates with them."};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("xformer ") + XFORMER_VERSION);
  TrainOptions train;
  train.arguments.assign(argv, argv + argc);
  TranslateOptions translate;
  ScoreOptions score;
  ShortlistOptions shortlist;
  EvalOptions eval;
  PlotOptions plot;
  ExportOptions export_options;
  ImportOptions import_options;
  InfoOptions info;
  add_train(app, train);
  add_translate(app, translate);
  add_score(app, score);
  add_shortlist(app, shortlist);
  auto& eval_command = add_eval(app, eval);
  add_decoding(eval_command, eval.decoding);
  add_common(eval_command, eval.common);
  add_plot(app, plot);
  add_export(app, export_options);
  add_import(app, import_options);
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
  if (app.got_subcommand("score")) return run(score.common, run_score, score);
  if (app.got_subcommand("shortlist")) return run(shortlist.common, run_shortlist, shortlist);
  if (app.got_subcommand("eval")) return run(eval.common, run_eval, eval);
  if (app.got_subcommand("plot")) return run_plot(*app.get_subcommand("plot"), plot, run);
  if (app.got_subcommand("export")) {
    return run(export_options.common, run_export, export_options);
  }
  if (app.got_subcommand("import")) {
    return run(import_options.common, run_import, import_options);
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
  } catch (const Stopped& stopped) {
    return 128 + stopped.signal;
  } catch (const ClosedPipe&) {
    return 128 + SIGPIPE;
  } catch (const std::exception& error) {
    return report(error, kFailed);
  }
}
