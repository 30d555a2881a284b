// `xformer eval`: scores translations against references.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands/common.h"
#include "commands/decoding.h"
#include "scoring/metrics.h"

namespace xformer {

struct EvalOptions {
  CommonOptions common;
  DecodingOptions decoding;
  std::vector<std::string> hypotheses;  ///< files with translations, one a line
  std::string model;                    ///< or the model that makes them from the source
  std::string source;                   ///< file that was or will be translated
  std::vector<std::string> references;  ///< files, line for line as the translations
  MetricOptions metrics;
  bool sentence_level = false;            ///< a score for each line
  std::string baseline;                   ///< file with translations that others are compared with
  std::optional<size_t> bootstrap{};      ///< resamples, for intervals and for p-values
  std::optional<size_t> randomization{};  ///< trials, for p-values
  uint64_t seed = 12345;                  ///< sacreBLEU's
  size_t lines = 0;                       ///< how many of the worst and best lines to show
  std::string html;                       ///< file for the table of all lines
  std::optional<int> width{};             ///< decimals
  std::string format = "text";  ///< as sacreBLEU; "json": its objects, unrounded without a width
};

/// Prints the scores on stdout and returns the exit status. Throws UserError for options that do
/// not go together and files that cannot be scored, before any work starts.
int run_eval(const EvalOptions& options);

}  // namespace xformer
