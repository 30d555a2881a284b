// Several systems beside one another, or against a baseline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scoring/metrics.h"
#include "scoring/resampling.h"
#include "scoring/text_lines.h"

namespace xformer {

enum class PairedTest { kNone, kBootstrap, kRandomization };

/// How sure a score is, and how it was found out.
struct TestOptions {
  PairedTest test = PairedTest::kNone;
  size_t samples = 0;  ///< resamples or trials
  uint64_t seed = 0;
  size_t threads = 1;
};

struct SystemScore {
  double score = 0;
  std::optional<double> p_value{};         ///< of a system that is compared with a baseline
  std::optional<Confidence> confidence{};  ///< with the bootstrap
};

struct Comparison {
  std::vector<std::string> systems;              ///< with a test, the first one is the baseline
  std::vector<std::string> metrics, signatures;  ///< by metric
  std::vector<std::vector<SystemScore>> scores;  ///< [metric][system]
  TestOptions options;
};

/// Scores all systems by all metrics. There are as many lines in each text.
Comparison compare(const Metrics& metrics, const std::vector<TextLines>& systems,
                   const std::vector<TextLines>& references, const TestOptions& options);

/// A table and the signatures, as sacreBLEU prints them.
std::string to_text(const Comparison& comparison, int decimals);
/// sacreBLEU's list of objects: without a test the rounded scores as text, else the numbers.
std::string to_json(const Comparison& comparison, int decimals);

}  // namespace xformer
