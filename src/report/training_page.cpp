#include "report/training_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/assets.h"
#include "report/line_chart.h"
#include "report/page.h"

namespace xformer {
namespace {

template <class Line>
Series series_of(const std::string& name, const std::vector<Line>& lines, double Line::* member,
                 Curve curve) {
  Series series{.name = name, .x = {}, .y = {}, .curve = curve};
  for (const auto& line : lines) {
    series.x.push_back(static_cast<double>(line.update));
    series.y.push_back(line.*member);
  }
  return series;
}

bool has_values(const LineChart& chart) {
  return std::ranges::any_of(chart.series, [](const Series& series) {
    return std::ranges::any_of(series.y, [](double y) { return std::isfinite(y); });
  });
}

LineChart chart_of(const std::vector<RunMetrics>& runs, std::string title, std::string y_title,
                   const std::function<Series(const RunMetrics&)>& curve_of) {
  LineChart chart{
      .title = std::move(title), .x_title = "update", .y_title = std::move(y_title), .series = {}};
  for (size_t i = 0; i < runs.size(); ++i) {
    chart.series.push_back(curve_of(runs[i]));
    chart.series.back().colour = i;
  }
  return chart;
}

LineChart updates_chart(const std::vector<RunMetrics>& runs, std::string title, std::string y_title,
                        double UpdateMetrics::* member) {
  return chart_of(runs, std::move(title), std::move(y_title), [&](const RunMetrics& run) {
    return series_of(run.name, run.updates, member, Curve::kLine);
  });
}

LineChart validations_chart(const std::vector<RunMetrics>& runs, std::string title,
                            std::string y_title, double ValidationMetrics::* member) {
  return chart_of(runs, std::move(title), std::move(y_title), [&](const RunMetrics& run) {
    return series_of(run.name, run.validations, member, Curve::kMarkedLine);
  });
}

std::vector<LineChart> charts_of(const std::vector<RunMetrics>& runs) {
  std::vector<LineChart> charts{
      updates_chart(runs, "Training loss, label-smoothed", "nats a piece", &UpdateMetrics::loss),
      validations_chart(runs, "Validation perplexity, unsmoothed", "perplexity (log scale)",
                        &ValidationMetrics::perplexity),
      validations_chart(runs, "Validation BLEU, greedy search", "BLEU", &ValidationMetrics::bleu),
      updates_chart(runs, "Learning rate", "learning rate", &UpdateMetrics::learning_rate),
      updates_chart(runs, "Speed", "target pieces a second", &UpdateMetrics::tokens_per_second)};
  double last = 0;
  for (const auto& run : runs) {
    if (!run.updates.empty()) last = std::max(last, static_cast<double>(run.updates.back().update));
    if (!run.validations.empty()) {
      last = std::max(last, static_cast<double>(run.validations.back().update));
    }
  }
  for (auto& chart : charts) {
    chart.x_low = 0;
    chart.x_high = last;
  }
  charts[1].y_scale = Scale::kLogarithmic;
  for (size_t i : {2, 3, 4}) charts[i].y_low = 0;
  std::erase_if(charts, [](const LineChart& chart) { return !has_values(chart); });
  return charts;
}

std::string validation_rows(const RunMetrics& run) {
  std::string rows;
  for (const auto& validation : run.validations) {
    rows += fmt::format(
        "<tr><td class=\"number\">{}</td><td class=\"number\">{:.3f}</td><td "
        "class=\"number\">{:.2f}"
        "</td></tr>\n",
        grouped(static_cast<double>(validation.update)), validation.perplexity, validation.bleu);
  }
  return rows;
}

std::string definition(std::string_view term, std::string_view style, std::string_view text) {
  return fmt::format("<dt>{}</dt><dd class=\"{}\" dir=\"auto\">{}</dd>\n", escaped(term), style,
                     escaped(text));
}

/// One sentence with its translation now, and before.
std::string sample_card(const RunMetrics& run, size_t index) {
  const auto& latest = run.validations.back();
  const auto& sample = latest.samples[index];
  std::string earlier;
  for (auto validation = run.validations.rbegin() + 1; validation != run.validations.rend();
       ++validation) {
    if (index >= validation->samples.size()) continue;
    earlier += definition("update " + grouped(static_cast<double>(validation->update)), "",
                          validation->samples[index].translation);
  }
  if (!earlier.empty()) {
    earlier = "<details><summary>before</summary><dl>\n" + earlier + "</dl></details>\n";
  }
  return "<div class=\"sample\"><dl>\n" + definition("source", "", sample.source) +
         definition("reference", "", sample.reference) +
         definition("update " + grouped(static_cast<double>(latest.update)), "latest",
                    sample.translation) +
         "</dl>" + earlier + "</div>\n";
}

std::string samples_section(const RunMetrics& run) {
  const auto& samples = run.validations.back().samples;
  if (samples.empty()) return {};
  std::string cards;
  for (size_t i = 0; i < samples.size(); ++i) cards += sample_card(run, i);
  return "<section><h2>Sample translations</h2>\n<p class=\"note\">Sentences of the validation "
         "text, translated greedily after each validation.</p>\n<div class=\"samples\">\n" +
         cards + "</div></section>\n";
}

}  // namespace

std::vector<Drawing> training_charts(const std::vector<RunMetrics>& runs) {
  std::vector<Drawing> drawings;
  for (const auto& chart : charts_of(runs)) drawings.push_back(draw(chart));
  return drawings;
}

std::string charts_section(const std::vector<RunMetrics>& runs) {
  std::string figures;
  for (const auto& chart : charts_of(runs)) {
    figures += fmt::format("<figure data-x=\"{}\">{}<output></output></figure>\n",
                           escaped(chart.x_title), svg_element(draw(chart), chart.title));
  }
  if (figures.empty()) figures = "<p>Nothing has been measured yet.</p>\n";
  return "<section><h2>Curves</h2><div class=\"charts\">\n" + figures + "</div></section>\n";
}

std::string validations_section(const RunMetrics& run) {
  if (run.validations.empty()) return {};
  return samples_section(run) +
         "<section><details><summary>Validations in numbers</summary><div "
         "class=\"scroll\"><table>\n<tr><th class=\"number\">update</th><th "
         "class=\"number\">perplexity</th><th class=\"number\">BLEU</th></tr>\n" +
         validation_rows(run) + "</table></div></details></section>\n";
}

std::string training_page(const std::vector<RunMetrics>& runs) {
  std::string names, sections;
  for (const auto& run : runs) {
    names += (names.empty() ? "" : ", ") + run.name;
    if (runs.size() == 1) sections += validations_section(run);
  }
  const std::string body = "<main><header><h1>Training</h1>\n<p class=\"facts\">" + escaped(names) +
                           "</p></header>\n" + charts_section(runs) + sections + "</main>\n";
  return html_file({.title = "Training of " + names, .body = body, .scripts = {kChartsJs}});
}

}  // namespace xformer
