// One system's scores as sacreBLEU prints them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scoring/line_report.h"
#include "scoring/resampling.h"

namespace xformer {

struct ScoreReport {
  std::string name{}, signature{};
  double score = 0;
  std::optional<Confidence> confidence{};
  std::string details{};  ///< what follows the score; may be empty
};

/// Decimals of scores in text unless a number is asked for.
inline constexpr int kScoreDecimals = 1;

/// "BLEU|nrefs:1|... = 40.9 (μ = 40.8 ± 0.9) 71.2/48.0/...".
std::string to_text(const ScoreReport& report, int decimals = kScoreDecimals);
/// A line for each, with the "=" of all in one column.
std::string to_text(const std::vector<ScoreReport>& reports, int decimals);

/// What is said of single lines beside the scores: the `count` worst and the `count` best.
struct ListedLines {
  const LineReport* report = nullptr;
  size_t count = 0;
};

/// The object that sacreBLEU prints, with its keys in their order; for several a list of them.
/// Numbers are rounded only when `decimals` are given. Lines stand in the first object, under
/// "lines".
std::string to_json(const std::vector<ScoreReport>& reports, std::optional<int> decimals,
                    const ListedLines& lines = {});
/// The same on one line.
std::string to_json_line(const ScoreReport& report, std::optional<int> decimals);

}  // namespace xformer
