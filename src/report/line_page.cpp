#include "report/line_page.h"

#include <fmt/format.h>

#include <cmath>

#include "report/assets.h"
#include "report/drawing.h"
#include "report/page.h"

namespace xformer {
namespace {

std::string heading(const std::string& name, bool number) {
  return fmt::format("<th{}><button>{}</button></th>", number ? " class=\"number\"" : "",
                     escaped(name));
}

std::string headings(const LineReport& report) {
  std::string text = "<table class=\"lines\"><thead><tr>" + heading("line", true);
  for (const std::string& metric : report.metrics) text += heading(metric, true);
  text += heading("length ratio", true) + heading("note", false);
  if (report.source) text += heading("source", false);
  text += heading("hypothesis", false);
  for (size_t r = 0; r < report.references->size(); ++r) text += heading("reference", false);
  return text + "</tr></thead><tbody>\n";
}

std::string row(const LineReport& report, size_t line, int decimals) {
  const bool empty = report.is_empty[line], copy = report.is_copy[line];
  std::string text = fmt::format("<tr{}><td class=\"number\">{}</td>",
                                 empty || copy ? " class=\"odd\"" : "", line + 1);
  const auto number = [&](double value, int digits) {
    const std::string shown = std::isnan(value) ? "" : fmt::format("{:.{}f}", value, digits);
    text += "<td class=\"number\">" + shown + "</td>";
  };
  for (const auto& scores : report.scores) number(scores[line], decimals);
  number(report.length_ratios[line], 2);
  text += fmt::format("<td>{}</td>", empty ? "empty" : copy ? "copy of the source" : "");
  const auto cell = [&](const TextLines& lines) {
    text += "<td class=\"text\">" + escaped(lines[line]) + "</td>";
  };
  if (report.source) cell(*report.source);
  cell(*report.hypotheses);
  for (const TextLines& reference : *report.references) cell(reference);
  return text + "</tr>\n";
}

}  // namespace

std::string to_page(const LineReport& report, int decimals) {
  const auto& name = report.hypotheses->name();
  std::string body = fmt::format("<main>\n<h1>{}</h1>\n<p>{} lines, {} empty", escaped(name),
                                 report.hypotheses->size(), report.empty);
  if (report.source) body += fmt::format(", {} copies of the source", report.copies);
  body += fmt::format("; {:.3f} characters for each of the reference.</p>\n", report.length_ratio);
  body += "<p class=\"note\">From the worst line on; a click on a heading sorts.</p>\n</main>\n";
  body += "<div class=\"wide\">" + headings(report);
  for (const size_t line : report.from_worst) body += row(report, line, decimals);
  body += "</tbody></table></div>\n";
  return html_file({.title = "Lines of " + name, .body = std::move(body), .scripts = {kLinesJs}});
}

}  // namespace xformer
