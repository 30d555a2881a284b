#include "command_line/eval.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scoring/bleu_tokenizer.h"

namespace xformer {
namespace {

std::vector<std::string> metric_names() {
  return {std::begin(kMetricNames), std::end(kMetricNames)};
}

void add_texts(CLI::App& command, EvalOptions& options) {
  auto* hypothesis = command.add_option("--hypothesis", options.hypotheses,
                                        "translations to score; repeatable: several systems");
  hypothesis->allow_extra_args(false);
  auto* model =
      command
          .add_option("--model", options.model,
                      "model that translates --source; default: $XFORMER_MODEL, else ./model")
          ->excludes(hypothesis);
  auto* source = command.add_option("--source", options.source,
                                    "what was translated, shown beside the lines; without "
                                    "--hypothesis the model translates it first");
  command.add_option("--reference", options.references, "reference translations; repeatable")
      ->required()
      ->allow_extra_args(false);
  command.callback([hypothesis, source, model] {
    if (hypothesis->empty() && source->empty()) {
      throw CLI::RequiredError(model->empty() ? "--hypothesis, or --source to translate,"
                                              : "--source");
    }
  });
}

void add_metrics(CLI::App& command, MetricOptions& options) {
  command.add_option("--metric", options.names, "one or several of bleu, chrf and ter")
      ->check(CLI::IsMember(metric_names()))
      ->capture_default_str();
  command.add_flag("--lowercase", options.lowercase, "BLEU and chrF ignore case; TER always does");

  command
      .add_option("--tokenize", options.bleu.tokenizer,
                  fmt::format("BLEU: {}", fmt::join(bleu_tokenizer_names(), ", ")))
      ->group("BLEU")
      ->capture_default_str();
  command
      .add_option("--spm-model", options.bleu.spm_model,
                  "BLEU: SentencePiece model of such a tokenizer")
      ->group("BLEU");
  command.add_option("--smooth-method", options.smooth_method, "BLEU: none, floor, add-k or exp")
      ->check(CLI::IsMember({"none", "floor", "add-k", "exp"}))
      ->group("BLEU")
      ->capture_default_str();
  command
      .add_option("--smooth-value", options.bleu.smoothing.value,
                  "BLEU: what floor or add-k adds; default: 0.1 or 1")
      ->check(number_between(0, 1e6))
      ->group("BLEU");
  command
      .add_flag("--effective-order", options.bleu.smoothing.effective_order,
                "BLEU: leave out orders longer than every line, as --sentence-level does")
      ->group("BLEU");
}

void add_chrf(CLI::App& command, ChrfOptions& options) {
  constexpr int kHighestOrder = 63, kHighestBeta = 1000;
  const auto add_number = [&](const char* name, int& value, int lowest, int highest,
                              const char* text) {
    command.add_option(name, value, text)
        ->check(CLI::Range(lowest, highest))
        ->group("chrF")
        ->capture_default_str();
  };
  add_number("--chrf-char-order", options.char_order, 0, kHighestOrder,
             "longest n-grams of characters");
  add_number("--chrf-word-order", options.word_order, 0, kHighestOrder,
             "longest n-grams of words; 2 is chrF++");
  add_number("--chrf-beta", options.beta, 0, kHighestBeta,
             "how many times more recall counts than precision");
  command.add_flag("--chrf-whitespace", options.whitespace, "count white space as characters")
      ->group("chrF");
  command
      .add_flag("--chrf-eps-smoothing", options.eps_smoothing,
                "smooth as chrF++.py, NLTK and Moses do")
      ->group("chrF");
}

void add_ter(CLI::App& command, TerTokenizerOptions& options) {
  const auto add_flag = [&](const char* name, bool& flag, const char* text) {
    command.add_flag(name, flag, text)->group("TER");
  };
  add_flag("--ter-normalized", options.normalized, "split off punctuation");
  add_flag("--ter-no-punct", options.no_punct, "remove punctuation");
  add_flag("--ter-asian-support", options.asian_support,
           "with the two above: Chinese and Japanese too");
  add_flag("--ter-case-sensitive", options.case_sensitive, "mind the case");
}

void add_statistics(CLI::App& command, EvalOptions& options) {
  constexpr size_t kMostSamples = 100'000'000;
  const auto group = "Statistics";
  command
      .add_option("--baseline", options.baseline,
                  "translations that each --hypothesis is compared with")
      ->group(group);
  command
      .add_option("--bootstrap", options.bootstrap,
                  "resamples: for a confidence interval, and with --baseline (then 1000 unless "
                  "--randomization is given) for p-values")
      ->check(CLI::Range(size_t{2}, kMostSamples))
      ->group(group);
  command
      .add_option("--randomization", options.randomization,
                  "with --baseline: trials of approximate randomization for p-values")
      ->check(CLI::Range(size_t{1}, kMostSamples))
      ->group(group);
  command.add_option("--seed", options.seed, "of both; sacreBLEU's by default")
      ->envname("SACREBLEU_SEED")
      ->group(group)
      ->capture_default_str();
}

void add_results(CLI::App& command, EvalOptions& options) {
  constexpr size_t kMostLines = 1'000'000;
  constexpr int kMostDecimals = 17;
  command.add_flag("--sentence-level", options.sentence_level,
                   "a score for each line instead, BLEU with the effective order");
  command.add_option("--lines", options.lines, "show as many of the worst and of the best lines")
      ->check(CLI::Range(size_t{1}, kMostLines));
  command.add_option("--html", options.html, "file for a table of all lines that can be sorted");
  command.add_option("--width", options.width, "decimals of scores; default: 1, JSON unrounded")
      ->check(CLI::Range(0, kMostDecimals));
  command.add_option("--format", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

}  // namespace

CLI::App& add_eval(CLI::App& app, EvalOptions& options) {
  auto& command = *app.add_subcommand("eval", "Score translations with BLEU, chrF and TER");
  command.footer(
      "Examples:\n"
      "  xformer eval --hypothesis output.en --reference test.en\n"
      "  xformer eval --model model --source test.de --reference test.en\n"
      "  xformer eval --hypothesis new.en --baseline old.en --reference test.en --metric bleu "
      "chrf\n"
      "  xformer eval --hypothesis output.en --source test.de --reference test.en --lines 5 --html "
      "lines.html");
  add_texts(command, options);
  add_metrics(command, options.metrics);
  add_chrf(command, options.metrics.chrf);
  add_ter(command, options.metrics.ter);
  add_statistics(command, options);
  add_results(command, options);
  return command;
}

}  // namespace xformer
