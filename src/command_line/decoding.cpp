#include "command_line/decoding.h"

#include <limits>

#include "command_line/command.h"

namespace xformer {

void add_model(CLI::App& command, std::string& model) {
  command.add_option("--model", model, "folder; default: $XFORMER_MODEL, else ./model");
}

void add_models(CLI::App& command, std::vector<std::string>& models) {
  command
      .add_option("--model", models,
                  "folder; default: $XFORMER_MODEL, else ./model; given several times, the mean of "
                  "the models' probabilities counts")
      ->allow_extra_args(false);
}

void add_engine(CLI::App& command, DecodingOptions& options) {
  command.add_option("--batch-tokens", options.batch_tokens, "padded source pieces of one batch")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000000));
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
      .add_option(
          "--max-length", options.max_length,
          "most pieces of a translation; default: the model's, which is 2 for each piece of "
          "the source and 10 more unless its configuration says otherwise")
      ->check(CLI::Range(1, 1000000));
  add_engine(command, options);
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

}  // namespace xformer
