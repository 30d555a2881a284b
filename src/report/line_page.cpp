#include "report/line_page.h"

#include <fmt/format.h>

#include <cmath>

#include "report/drawing.h"

namespace xformer {
namespace {

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>xformer eval: lines</title>
<style>
body { font: 14px/1.4 sans-serif; margin: 1em; }
table { border-collapse: collapse; }
th, td { border: 1px solid #ccc; padding: 3px 8px; text-align: left; vertical-align: top; }
th { background: #eee; position: sticky; top: 0; cursor: pointer; white-space: nowrap; }
th.up::after { content: " \25B2"; }
th.down::after { content: " \25BC"; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.t { unicode-bidi: plaintext; }
tr.odd td { background: #fff3d6; }
</style></head><body>
)";

// Numbers stand before cells without one, whichever way a column is sorted.
constexpr const char* kScript = R"(<script>
const table = document.querySelector("table"), body = table.tBodies[0];
const headings = [...table.tHead.rows[0].cells];
headings.forEach((heading, column) => heading.addEventListener("click", () => {
  const down = heading.className === "up";
  headings.forEach(other => other.className = "");
  heading.className = down ? "down" : "up";
  const numeric = heading.dataset.kind === "number";
  const key = row => {
    const text = row.cells[column].textContent;
    return numeric ? (text === "" ? NaN : Number(text)) : text;
  };
  const compare = (a, b) => {
    if (numeric && (isNaN(a) || isNaN(b))) return isNaN(a) - isNaN(b);
    const order = numeric ? a - b : a.localeCompare(b);
    return down ? -order : order;
  };
  const rows = [...body.rows].map(row => [key(row), row]);
  rows.sort((a, b) => compare(a[0], b[0]));
  body.append(...rows.map(row => row[1]));
}));
</script></body></html>
)";

std::string heading(const std::string& name, bool number) {
  return fmt::format("<th{}>{}</th>", number ? " data-kind=\"number\"" : "", escaped(name));
}

std::string headings(const LineReport& report) {
  std::string text = "<table><thead><tr>" + heading("line", true);
  for (const std::string& metric : report.metrics) text += heading(metric, true);
  text += heading("length ratio", true) + heading("note", false);
  if (report.source) text += heading("source", false);
  text += heading("hypothesis", false);
  for (size_t r = 0; r < report.references->size(); ++r) text += heading("reference", false);
  return text + "</tr></thead><tbody>\n";
}

std::string row(const LineReport& report, size_t line, int decimals) {
  const bool empty = report.is_empty[line], copy = report.is_copy[line];
  std::string text =
      fmt::format("<tr{}><td class=\"n\">{}</td>", empty || copy ? " class=\"odd\"" : "", line + 1);
  const auto number = [&](double value, int digits) {
    const std::string shown = std::isnan(value) ? "" : fmt::format("{:.{}f}", value, digits);
    text += "<td class=\"n\">" + shown + "</td>";
  };
  for (const auto& scores : report.scores) number(scores[line], decimals);
  number(report.length_ratios[line], 2);
  text += fmt::format("<td>{}</td>", empty ? "empty" : copy ? "copy of the source" : "");
  const auto cell = [&](const TextLines& lines) {
    text += "<td class=\"t\">" + escaped(lines[line]) + "</td>";
  };
  if (report.source) cell(*report.source);
  cell(*report.hypotheses);
  for (const TextLines& reference : *report.references) cell(reference);
  return text + "</tr>\n";
}

}  // namespace

std::string to_page(const LineReport& report, int decimals) {
  std::string page = kHead;
  page += fmt::format("<h1>{}</h1><p>{} lines, {} empty", escaped(report.hypotheses->name()),
                      report.hypotheses->size(), report.empty);
  if (report.source) page += fmt::format(", {} copies of the source", report.copies);
  page += fmt::format(
      "; {:.3f} characters for each of the reference. From the worst line on; a "
      "click on a heading sorts.</p>\n",
      report.length_ratio);
  page += headings(report);
  for (const size_t line : report.from_worst) page += row(report, line, decimals);
  return page + "</tbody></table>\n" + kScript;
}

}  // namespace xformer
