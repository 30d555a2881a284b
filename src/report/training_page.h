// How trainings went: curves, samples, configuration.
#pragma once

#include <string>
#include <vector>

#include "report/drawing.h"
#include "report/metrics.h"

namespace xformer {

/// Loss, perplexity, BLEU, learning rate and speed over the updates, a curve a run in each; what no
/// run has is left out.
std::vector<Drawing> training_charts(const std::vector<RunMetrics>& runs);

/// The same as a section of a page that has report/assets.h's kChartsJs.
std::string charts_section(const std::vector<RunMetrics>& runs);

/// What each validation found, as a table, and how the translations of the sample sentences
/// changed; nothing when there was no validation.
std::string validations_section(const RunMetrics& run);

/// The whole page of one or more runs.
std::string training_page(const std::vector<RunMetrics>& runs);

}  // namespace xformer
