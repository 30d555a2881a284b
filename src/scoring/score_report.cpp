#include "scoring/score_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

namespace xformer {
namespace {

std::string confidence_text(const Confidence& confidence, int decimals) {
  return fmt::format("μ = {:.{}f} ± {:.{}f}", confidence.mean, decimals, confidence.half_width,
                     decimals);
}

/// sacreBLEU says nothing of an interval whose mean is 0.
bool shows_confidence(const ScoreReport& report) {
  return report.confidence && report.confidence->mean > 0;
}

double rounded(double value, std::optional<int> decimals) {
  return decimals ? std::strtod(fmt::format("{:.{}f}", value, *decimals).c_str(), nullptr) : value;
}

nlohmann::ordered_json to_object(const ScoreReport& report, std::optional<int> decimals) {
  nlohmann::ordered_json object{{"name", report.name},
                                {"score", rounded(report.score, decimals)},
                                {"signature", report.signature}};
  if (shows_confidence(report)) {
    object["confidence_mean"] = rounded(report.confidence->mean, decimals);
    object["confidence_var"] = rounded(report.confidence->half_width, decimals);
    object["confidence"] = confidence_text(*report.confidence, decimals.value_or(kScoreDecimals));
  }
  if (!report.details.empty()) object["verbose_score"] = report.details;
  std::istringstream fields(report.signature);
  for (std::string field; std::getline(fields, field, '|');) {
    const size_t colon = field.find(':');
    object[field.substr(0, colon)] = field.substr(colon + 1);
  }
  return object;
}

nlohmann::ordered_json to_object(const LineReport& report, size_t line) {
  nlohmann::ordered_json object{{"line", line + 1}};
  for (size_t m = 0; m < report.metrics.size(); ++m) {
    object[report.metrics[m]] = report.scores[m][line];
  }
  object["length_ratio"] = report.length_ratios[line];
  if (report.source) object["source"] = std::string((*report.source)[line]);
  object["hypothesis"] = std::string((*report.hypotheses)[line]);
  for (const TextLines& reference : *report.references) {
    object["references"].push_back(std::string(reference[line]));
  }
  return object;
}

nlohmann::ordered_json to_object(const ListedLines& lines) {
  const LineReport& report = *lines.report;
  const size_t all = report.from_worst.size();
  nlohmann::ordered_json object{{"lines", all}, {"empty", report.empty}};
  if (report.source) object["copies"] = report.copies;
  object["length_ratio"] = report.length_ratio;
  object["worst"] = object["best"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < std::min(lines.count, all); ++i) {
    object["worst"].push_back(to_object(report, report.from_worst[i]));
    object["best"].push_back(to_object(report, report.from_worst[all - 1 - i]));
  }
  return object;
}

}  // namespace

std::string to_text(const ScoreReport& report, int decimals) {
  std::string text = report.name;
  if (!report.signature.empty()) text += "|" + report.signature;
  text += fmt::format(" = {:.{}f}", report.score, decimals);
  if (shows_confidence(report)) {
    text += fmt::format(" ({})", confidence_text(*report.confidence, decimals));
  }
  return report.details.empty() ? text : text + " " + report.details;
}

std::string to_text(const std::vector<ScoreReport>& reports, int decimals) {
  std::vector<std::string> lines;
  size_t widest = 0;
  for (const ScoreReport& report : reports) {
    lines.push_back(to_text(report, decimals));
    widest = std::max(widest, lines.back().find(" ="));
  }
  std::string text;
  for (const std::string& line : lines) {
    text.append(widest - line.find(" ="), ' ').append(line).append("\n");
  }
  return text;
}

std::string to_json(const std::vector<ScoreReport>& reports, std::optional<int> decimals,
                    const ListedLines& lines) {
  constexpr int kIndent = 1;
  std::string text;
  for (const ScoreReport& report : reports) {
    auto object = to_object(report, decimals);
    if (text.empty() && lines.report) object["lines"] = to_object(lines);
    if (!text.empty()) text += ",\n";
    text += object.dump(kIndent);
  }
  return (reports.size() > 1 ? "[\n" + text + "\n]" : text) + "\n";
}

std::string to_json_line(const ScoreReport& report, std::optional<int> decimals) {
  return to_object(report, decimals).dump() + "\n";
}

}  // namespace xformer
