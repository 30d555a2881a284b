#include "commands/decoding.h"

#include <fmt/core.h>

#include <cstdlib>

#include "config/config.h"
#include "decode/translator.h"
#include "runtime/error.h"

namespace xformer {
namespace {

void check(const DecodingOptions& options, const SearchOptions& search) {
  if (!options.sample && search.n_best > search.beam_size) {
    throw UserError(fmt::format("--n-best is {}, must be at most --beam-size, which is {}",
                                search.n_best, search.beam_size));
  }
  if (options.max_length > 0 && options.min_length > options.max_length) {
    throw UserError(fmt::format("--min-length is {}, must be at most --max-length, which is {}",
                                options.min_length, options.max_length));
  }
}

}  // namespace

TranslatorOptions translator_options(const DecodingOptions& options, const Config& config) {
  SearchOptions search{
      .beam_size = options.beam_size.value_or(config.decoding.beam_size),
      .length_penalty = options.length_penalty.value_or(config.decoding.length_penalty),
      .n_best = options.n_best,
      .rules = options.search == "ctranslate2" ? SearchRules::kCtranslate2 : SearchRules::kXformer,
      .min_length = options.min_length,
      .no_repeat_ngram = options.no_repeat_ngram,
      .alignment = options.alignment,
      .scores = options.scores};
  if (options.sample) {
    search.sampling = {.top_k = options.top_k,
                       .top_p = options.top_p,
                       .temperature = options.temperature,
                       .seed = options.seed};
  }
  check(options, search);
  return {.search = search,
          .limits = config.decoding,
          .max_length = options.max_length,
          .max_source_length = config.data.max_length,
          .batch_tokens = options.batch_tokens};
}

std::string model_folder_or_default(const std::string& named) {
  if (!named.empty()) return named;
  const char* variable = std::getenv("XFORMER_MODEL");
  return variable != nullptr && *variable != '\0' ? variable : "./model";
}

}  // namespace xformer
