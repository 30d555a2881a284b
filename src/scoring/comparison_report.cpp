#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "scoring/comparison.h"
#include "scoring/text_table.h"

namespace xformer {
namespace {

constexpr double kSignificant = 0.05;

std::string system_name(const Comparison& comparison, size_t system) {
  const bool is_baseline = comparison.options.test != PairedTest::kNone && system == 0;
  return (is_baseline ? "Baseline: " : "") + comparison.systems[system];
}

TableCell score_cell(const SystemScore& score, int decimals) {
  std::string text = fmt::format("{:.{}f}", score.score, decimals);
  if (score.confidence) {
    text += fmt::format(" ({:.{}f} ± {:.{}f})", score.confidence->mean, decimals,
                        score.confidence->half_width, decimals);
  }
  TableCell cell{text};
  if (score.p_value) {
    cell.push_back(
        fmt::format("(p = {:.4f}){}", *score.p_value, *score.p_value > kSignificant ? "" : "*"));
  }
  return cell;
}

std::string explanation(const Comparison& comparison) {
  const TestOptions& options = comparison.options;
  if (options.test == PairedTest::kNone) return "";
  const bool bootstrap = options.test == PairedTest::kBootstrap;
  return fmt::format(
      "Paired {} with {} {}: each system against {}.\n"
      "p is how probable a difference at least as large is when both are equally good; below {} it "
      "has a star.\n{}\n",
      bootstrap ? "bootstrap resampling" : "approximate randomization", options.samples,
      bootstrap ? "resamples" : "trials", comparison.systems.front(), kSignificant,
      bootstrap ? "In brackets: the mean of the resamples and its 95% confidence interval.\n" : "");
}

}  // namespace

std::string to_text(const Comparison& comparison, int decimals) {
  std::vector<std::vector<TableCell>> rows{{{"System"}}};
  for (const std::string& metric : comparison.metrics) {
    const bool has_interval = comparison.options.test == PairedTest::kBootstrap;
    rows[0].push_back({metric + (has_interval ? " (μ ± 95% CI)" : "")});
  }
  for (size_t s = 0; s < comparison.systems.size(); ++s) {
    auto& row = rows.emplace_back();
    row.push_back({system_name(comparison, s)});
    for (const auto& scores : comparison.scores) row.push_back(score_cell(scores[s], decimals));
  }
  std::string text = format_table(rows) + "\n" + explanation(comparison);
  text += "-----------------\nMetric signatures\n-----------------\n";
  for (size_t m = 0; m < comparison.metrics.size(); ++m) {
    text += fmt::format(" - {:<10} {}\n", comparison.metrics[m], comparison.signatures[m]);
  }
  return text;
}

std::string to_json(const Comparison& comparison, int decimals) {
  constexpr int kIndent = 4;
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  auto systems = nlohmann::ordered_json::array();
  for (size_t s = 0; s < comparison.systems.size(); ++s) {
    nlohmann::ordered_json object{{"system", system_name(comparison, s)}};
    for (size_t m = 0; m < comparison.metrics.size(); ++m) {
      const SystemScore& score = comparison.scores[m][s];
      auto& value = object[comparison.metrics[m]];
      if (comparison.options.test == PairedTest::kNone) {
        value = fmt::format("{:.{}f}", score.score, decimals);
        continue;
      }
      std::optional<double> mean, half_width;
      if (score.confidence) {
        mean = score.confidence->mean;
        half_width = score.confidence->half_width;
      }
      value = {{"score", score.score},
               {"p_value", or_null(score.p_value)},
               {"mean", or_null(mean)},
               {"ci", or_null(half_width)}};
    }
    systems.push_back(std::move(object));
  }
  return systems.dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace xformer
