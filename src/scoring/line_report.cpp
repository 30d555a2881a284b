#include "scoring/line_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "scoring/code_points.h"
#include "scoring/python_strings.h"

namespace xformer {
namespace {

size_t characters(std::string_view line) {
  size_t count = 0;
  for_each_character_bytes(line, [&](std::string_view c) { count += whitespace_at(c, 0) == 0; });
  return count;
}

double ratio(size_t hypothesis, size_t reference) {
  return reference == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : static_cast<double>(hypothesis) / static_cast<double>(reference);
}

void look_at_texts(LineReport& report) {
  size_t all = 0, all_reference = 0;
  for (size_t i = 0; i < report.hypotheses->size(); ++i) {
    const std::string_view hypothesis = (*report.hypotheses)[i];
    const size_t length = characters(hypothesis),
                 reference_length = characters(report.references->front()[i]);
    all += length;
    all_reference += reference_length;
    report.length_ratios.push_back(ratio(length, reference_length));
    report.is_empty.push_back(length == 0);
    report.is_copy.push_back(length > 0 && report.source &&
                             strip(hypothesis) == strip((*report.source)[i]));
    report.empty += report.is_empty.back();
    report.copies += report.is_copy.back();
  }
  report.length_ratio = ratio(all, all_reference);
}

std::vector<size_t> rank(const std::vector<double>& scores, bool higher_is_better) {
  std::vector<size_t> lines(scores.size());
  std::iota(lines.begin(), lines.end(), 0);
  std::stable_sort(lines.begin(), lines.end(), [&](size_t a, size_t b) {
    return higher_is_better ? scores[a] < scores[b] : scores[a] > scores[b];
  });
  return lines;
}

std::string describe_line(const LineReport& report, size_t line, int decimals) {
  std::string text = fmt::format("line {}:", line + 1);
  for (size_t m = 0; m < report.metrics.size(); ++m) {
    text += fmt::format(" {} = {:.{}f}", report.metrics[m], report.scores[m][line], decimals);
  }
  text += "\n";
  const auto add = [&](const char* name, const TextLines& lines) {
    text += fmt::format("  {:<10} {}\n", name, lines[line]);
  };
  if (report.source) add("source", *report.source);
  add("hypothesis", *report.hypotheses);
  for (const TextLines& reference : *report.references) add("reference", reference);
  return text;
}

}  // namespace

LineReport report_lines(const Metrics& metrics,
                        const std::vector<std::unique_ptr<const CorpusStatistics>>& statistics,
                        const TextLines* source, const TextLines& hypotheses,
                        const std::vector<TextLines>& references) {
  LineReport report;
  report.source = source;
  report.hypotheses = &hypotheses;
  report.references = &references;
  look_at_texts(report);
  for (size_t m = 0; m < metrics.size(); ++m) {
    report.metrics.push_back(metrics[m]->name());
    auto& scores = report.scores.emplace_back();
    for (size_t i = 0; i < hypotheses.size(); ++i) {
      scores.push_back(metrics[m]->score((*statistics[m])[i]));
    }
  }
  report.from_worst = rank(report.scores.front(), metrics.front()->higher_is_better());
  return report;
}

std::string to_text(const LineReport& report, size_t count, int decimals) {
  const size_t lines = report.hypotheses->size();
  std::string text =
      fmt::format("\n{} lines: {} empty, {}, {:.3f} characters for each of the reference\n", lines,
                  report.empty,
                  report.source ? fmt::format("{} copies of the source", report.copies)
                                : "copies unknown without --source",
                  report.length_ratio);
  count = std::min(count, lines);
  text += fmt::format("\nThe {} worst lines by {}\n", count, report.metrics.front());
  for (size_t i = 0; i < count; ++i) text += describe_line(report, report.from_worst[i], decimals);
  text += fmt::format("\nThe {} best lines by {}\n", count, report.metrics.front());
  for (size_t i = 0; i < count; ++i) {
    text += describe_line(report, report.from_worst[lines - 1 - i], decimals);
  }
  return text;
}

}  // namespace xformer
