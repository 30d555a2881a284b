#include "commands/decoding.h"

#include <fmt/core.h>

#include <cstdlib>

#include "config/config.h"
#include "decode/translator.h"
#include "runtime/error.h"

namespace xformer {

TranslatorOptions translator_options(const DecodingOptions& options, const Config& config,
                                     int64_t n_best) {
  const SearchOptions search{
      .beam_size = options.beam_size.value_or(config.decoding.beam_size),
      .length_penalty = options.length_penalty.value_or(config.decoding.length_penalty),
      .n_best = n_best};
  if (search.n_best > search.beam_size) {
    throw UserError(fmt::format("--n-best is {}, must be at most --beam-size, which is {}",
                                search.n_best, search.beam_size));
  }
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
