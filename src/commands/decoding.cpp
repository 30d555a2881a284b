#include "commands/decoding.h"

#include <fmt/core.h>

#include <cstdlib>

#include "config/config.h"
#include "decode/constraints.h"
#include "decode/translator.h"
#include "runtime/error.h"

namespace xformer {
namespace {

SearchRules rules_of(const DecodingOptions& options, const Config& config) {
  if (options.search.empty()) return config.decoding.search;
  if (options.search == "ctranslate2") return SearchRules::kCtranslate2;
  return options.search == "huggingface" ? SearchRules::kHuggingFace : SearchRules::kXformer;
}

void check(const DecodingOptions& options, const SearchOptions& search, const Config& config) {
  if (!options.sample && search.n_best > search.beam_size) {
    throw UserError(fmt::format("--n-best is {}, must be at most --beam-size, which is {}",
                                search.n_best, search.beam_size));
  }
  if (options.max_length > 0 && options.min_length > options.max_length) {
    throw UserError(fmt::format("--min-length is {}, must be at most --max-length, which is {}",
                                options.min_length, options.max_length));
  }
  const int64_t most = config.decoding.max_length;
  if (options.max_length == 0 && most > 0 && options.min_length > most) {
    throw UserError(fmt::format(
        "--min-length is {}, must be at most the model's decoding.max_length, which is {}",
        options.min_length, most));
  }
}

}  // namespace

TranslatorOptions translator_options(const DecodingOptions& options, const Config& config) {
  SearchOptions search{
      .beam_size = options.beam_size.value_or(config.decoding.beam_size),
      .length_penalty = options.length_penalty.value_or(config.decoding.length_penalty),
      .n_best = options.n_best,
      .rules = rules_of(options, config),
      .min_length = options.min_length,
      .no_repeat_ngram = options.no_repeat_ngram,
      .alignment = options.alignment,
      .scores = options.scores,
      // CTranslate2 has no such thing.
      .force_eos =
          config.decoding.force_eos && rules_of(options, config) != SearchRules::kCtranslate2,
      .tokens = config.tokens};
  if (options.sample) {
    search.sampling = {.top_k = options.top_k,
                       .top_p = options.top_p,
                       .temperature = options.temperature,
                       .seed = options.seed};
  }
  check(options, search, config);
  return {.search = search,
          .limits = config.decoding,
          .max_length = options.max_length > 0 ? options.max_length : config.decoding.max_length,
          .max_positions = config.model.max_positions,
          .max_source_length = config.data.max_length,
          .batch_tokens = options.batch_tokens};
}

Vocabulary with_language(Vocabulary vocabulary, const DecodingOptions& options) {
  if (options.target_language.empty()) return vocabulary;
  vocabulary.source = vocabulary.source.for_language(options.target_language);
  return vocabulary;
}

SpecialTokens decoder_tokens(const DecodingOptions& options, const Config& config) {
  SpecialTokens tokens = config.tokens;
  if (blocks_never(translator_options(options, config).search)) tokens.never.clear();
  if (!options.allow_unknown) tokens.never.push_back(tokens.unk);
  return tokens;
}

std::string model_folder_or_default(const std::string& named) {
  if (!named.empty()) return named;
  const char* variable = std::getenv("XFORMER_MODEL");
  return variable != nullptr && *variable != '\0' ? variable : "./model";
}

}  // namespace xformer
