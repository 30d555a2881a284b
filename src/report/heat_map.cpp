#include "report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace xformer {
namespace {

constexpr double kLabelCharacter =
    6.6;  ///< mean width of a label's character, for the layout alone
constexpr double kAxisTitle = 20, kBarWidth = 12;

double longest(const std::vector<std::string>& labels) {
  size_t most = 1;
  for (const auto& label : labels) {
    const auto characters = std::ranges::count_if(
        label, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    most = std::max(most, static_cast<size_t>(characters));
  }
  return kLabelCharacter * static_cast<double>(most);
}

/// The field itself, a cell being 1 wide and 1 high. What is 0 needs no mark.
std::string draw_cells(const HeatMap& map) {
  std::string body;
  const size_t columns = map.columns.size();
  for (size_t i = 0; i < map.values.size(); ++i) {
    const float value = map.values[i];
    const double strength = std::min(1.0, std::abs(static_cast<double>(value)));
    if (strength < 0.0005 && !map.values_in_titles) continue;
    const size_t row = i / columns, column = i % columns;
    body += fmt::format("<path class=\"{}\" fill-opacity=\"{:.3g}\" d=\"M{} {}h1v1h-1z\"",
                        value < 0 ? "below" : "above", strength, column, row);
    if (map.values_in_titles) {
      body += fmt::format("><title>{} → {}: {:.6f}</title></path>\n", escaped(map.rows[row]),
                          escaped(map.columns[column]), value);
    } else {
      body += "/>\n";
    }
  }
  return body;
}

/// SentencePiece's mark of a word's begin is there, but out of the way.
std::string token_text(double x, double y, const std::string& label, std::string_view attributes) {
  constexpr std::string_view kMark = "▁";
  const auto text = svg_text(x, y, label, "token", attributes);
  if (!label.starts_with(kMark)) return text;
  const size_t place = text.find(kMark);
  return text.substr(0, place) + fmt::format("<tspan class=\"mark\">{}</tspan>", kMark) +
         text.substr(place + kMark.size());
}

std::string draw_column_labels(const HeatMap& map, double left, double y) {
  std::string body;
  for (size_t i = 0; i < map.columns.size(); ++i) {
    if (map.columns[i].empty()) continue;
    const double x = left + (static_cast<double>(i) + 0.5) * map.cell_width;
    body += map.slanted
                ? token_text(x + 3, y, map.columns[i],
                             fmt::format("transform=\"rotate(-55 {:.1f} {:.1f})\"", x + 3, y))
                : svg_text(x, y, map.columns[i], "tick", "text-anchor=\"middle\"");
  }
  return body;
}

std::string draw_row_labels(const HeatMap& map, double x, double top) {
  constexpr const char* kEnd = "text-anchor=\"end\"";
  std::string body;
  for (size_t i = 0; i < map.rows.size(); ++i) {
    if (map.rows[i].empty()) continue;
    const double y = top + (static_cast<double>(i) + 0.5) * map.cell_height + 4;
    body += map.slanted ? token_text(x, y, map.rows[i], kEnd)
                        : svg_text(x, y, map.rows[i], "tick", kEnd);
  }
  return body;
}

/// Between cells that are large enough not to drown in lines.
std::string draw_lines(const HeatMap& map, double left, double top) {
  if (std::min(map.cell_width, map.cell_height) < 10) return {};
  const double right = left + map.cell_width * static_cast<double>(map.columns.size());
  const double bottom = top + map.cell_height * static_cast<double>(map.rows.size());
  std::string path;
  for (size_t i = 1; i < map.columns.size(); ++i) {
    path += fmt::format("M{:.5g} {:.5g}V{:.5g}", left + static_cast<double>(i) * map.cell_width,
                        top, bottom);
  }
  for (size_t i = 1; i < map.rows.size(); ++i) {
    path += fmt::format("M{:.5g} {:.5g}H{:.5g}", left,
                        top + static_cast<double>(i) * map.cell_height, right);
  }
  return fmt::format("<path class=\"lines\" d=\"{}\"/>\n", path);
}

/// A bar of all colours, from 0 or -1 at the bottom to 1 at the top.
std::string draw_scale(const HeatMap& map, double x, double y, double height) {
  const bool both = std::ranges::any_of(map.values, [](float value) { return value < 0; });
  constexpr int kSteps = 50;
  std::string body =
      fmt::format("<g class=\"cells\" transform=\"translate({:.5g} {:.5g}) scale({} {:.5g})\">", x,
                  y, kBarWidth, height / kSteps);
  for (int i = 0; i < kSteps; ++i) {
    const double share = 1 - (i + 0.5) / kSteps, value = both ? 2 * share - 1 : share;
    body += fmt::format("<path class=\"{}\" fill-opacity=\"{:.3g}\" d=\"M0 {}h1v1h-1z\"/>",
                        value < 0 ? "below" : "above", std::abs(value), i);
  }
  body += fmt::format(
      "</g><rect class=\"frame\" x=\"{:.5g}\" y=\"{:.5g}\" width=\"{}\" height=\"{:.5g}\"/>\n", x,
      y, kBarWidth, height);
  const double labels = x + kBarWidth + 5;
  body += svg_text(labels, y + 8, "1", "tick") +
          svg_text(labels, y + height, both ? "−1" : "0", "tick");
  if (both) body += svg_text(labels, y + height / 2 + 4, "0", "tick");
  const double middle = y + height / 2, side = labels + (both ? 24 : 14);
  return body +
         svg_text(side, middle, map.scale_title, "label",
                  fmt::format("text-anchor=\"middle\" transform=\"rotate(90 {:.1f} {:.1f})\"", side,
                              middle));
}

}  // namespace

Drawing draw(const HeatMap& map) {
  const double width = map.cell_width * static_cast<double>(map.columns.size());
  const double height = map.cell_height * static_cast<double>(map.rows.size());
  constexpr double kSine = 0.82, kCosine = 0.57;  // of 55 degrees
  const double column_labels = map.slanted ? kSine * longest(map.columns) + 12 : 18;
  const double overhang = map.slanted ? kCosine * longest(map.columns) : 0;
  const double left = kAxisTitle + longest(map.rows) + 10;
  const double top = kTitle + kAxisTitle + column_labels;

  Drawing drawing{left + width + std::max(overhang, map.scale_title.empty() ? 8.0 : 64.0),
                  top + height + 4, svg_text(0, 14, map.title, "title")};
  drawing.width = std::max(drawing.width, 7.6 * static_cast<double>(map.title.size()));
  drawing.body +=
      svg_text(left + width / 2, kTitle + 12, map.x_title, "label", "text-anchor=\"middle\"");
  const double middle = top + height / 2;
  drawing.body +=
      svg_text(12, middle, map.y_title, "label",
               fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 12 {:.1f})\"", middle));
  drawing.body += draw_column_labels(map, left, top - 6) + draw_row_labels(map, left - 6, top);
  drawing.body += fmt::format(
      "<g class=\"cells\" transform=\"translate({:.5g} {:.5g}) scale({} {})\">\n{}</g>\n", left,
      top, map.cell_width, map.cell_height, draw_cells(map));
  drawing.body += draw_lines(map, left, top);
  drawing.body += fmt::format(
      "<rect class=\"frame\" x=\"{:.5g}\" y=\"{:.5g}\" width=\"{:.5g}\" height=\"{:.5g}\"/>\n",
      left, top, width, height);
  if (!map.scale_title.empty()) {
    drawing.body += draw_scale(map, left + width + 14, top, std::min(height, 160.0));
  }
  return drawing;
}

std::vector<std::string> numbered(int64_t count, int64_t step) {
  std::vector<std::string> labels(count);
  for (int64_t i = 0; i < count; i += step) labels[i] = std::to_string(i);
  return labels;
}

}  // namespace xformer
