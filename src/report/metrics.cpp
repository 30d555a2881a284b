#include "report/metrics.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "runtime/atomic_file.h"
#include "runtime/error.h"

namespace xformer {
namespace {

/// NaN where the key is missing or null, which is how JSON writes what is not finite.
double number(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || found->is_null()) return std::numeric_limits<double>::quiet_NaN();
  return found->get<double>();
}

std::vector<TranslationSample> samples_of(const nlohmann::json& line) {
  std::vector<TranslationSample> samples;
  for (const auto& sample : line.value("samples", nlohmann::json::array())) {
    samples.push_back({.source = sample.at("source").get<std::string>(),
                       .reference = sample.at("reference").get<std::string>(),
                       .translation = sample.at("translation").get<std::string>()});
  }
  return samples;
}

void add_line(RunMetrics& run, const nlohmann::json& line) {
  const auto update = line.at("update").get<int64_t>();
  const auto epoch = line.value("epoch", int64_t{0});
  if (line.contains("loss")) {
    run.updates.push_back({.update = update,
                           .epoch = epoch,
                           .loss = number(line, "loss"),
                           .learning_rate = number(line, "learning_rate"),
                           .tokens_per_second = number(line, "tokens_per_second")});
  }
  if (line.contains("bleu")) {
    run.validations.push_back({.update = update,
                               .epoch = epoch,
                               .perplexity = number(line, "perplexity"),
                               .bleu = number(line, "bleu"),
                               .samples = samples_of(line)});
  }
}

}  // namespace

RunMetrics read_metrics(const std::filesystem::path& file, std::string name) {
  RunMetrics run{.name = std::move(name), .updates = {}, .validations = {}};
  const std::string text = read_file(file);
  int64_t count = 0;
  for (size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    ++count;
    try {
      add_line(run, nlohmann::json::parse(text.substr(begin, end - begin)));
    } catch (const nlohmann::json::exception&) {
      throw UserError(file.string() + ", line " + std::to_string(count) +
                      ": is not a line of a training's metrics");
    }
  }
  return run;
}

}  // namespace xformer
