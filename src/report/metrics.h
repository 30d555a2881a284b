// What a training wrote into metrics.jsonl.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "text/translation_sample.h"

namespace xformer {

/// The mean over the updates since the line before.
struct UpdateMetrics {
  int64_t update = 0, epoch = 0;
  double loss = 0;  ///< label-smoothed, nats a target piece
  double learning_rate = 0, tokens_per_second = 0;
};

struct ValidationMetrics {
  int64_t update = 0, epoch = 0;
  double perplexity = 0, bleu = 0;
  std::vector<TranslationSample> samples;
};

struct RunMetrics {
  std::string name;
  std::vector<UpdateMetrics> updates;
  std::vector<ValidationMetrics> validations;
};

/// Reads a file that may be growing: a last line that is not whole is left out. What a line does
/// not tell is NaN. Throws UserError naming the file and the line that is not one of metrics.
RunMetrics read_metrics(const std::filesystem::path& file, std::string name);

}  // namespace xformer
