// How translate and eval decode: their common options, and what they come to with a model's
// configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xformer {

struct Config;
struct TranslatorOptions;

/// What is absent is taken from the model's configuration.
struct DecodingOptions {
  std::optional<int64_t> beam_size{};
  std::optional<double> length_penalty{};
  int64_t max_length = 0;       ///< pieces of a translation; 0: relative to the source
  int64_t batch_tokens = 4096;  ///< padded source pieces of one batch
  bool allow_unknown = false;
};

/// Throws UserError when more translations a line are asked for than the beam is wide.
TranslatorOptions translator_options(const DecodingOptions& options, const Config& config,
                                     int64_t n_best = 1);

/// The model folder that was named, or $XFORMER_MODEL, or ./model.
std::string model_folder_or_default(const std::string& named);

}  // namespace xformer
