#include "report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace xformer {
namespace {

constexpr double kLeft = 62, kRight = 14, kBottom = 44, kLegendLine = 17;
constexpr size_t kColours = 6;
constexpr double kLegendCharacter = 6.1;  ///< mean width at the legend's size, for the layout alone

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

bool can_be_drawn(double y, Scale scale) {
  return std::isfinite(y) && (scale == Scale::kLinear || y > 0);
}

/// Indices of the points that decide what is seen: of those that share a column of pixels the
/// first, the lowest, the highest and the last.
std::vector<size_t> visible_points(const Series& series, const Axis& x_axis) {
  std::vector<size_t> kept;
  for (size_t begin = 0, end = 0; begin < series.x.size(); begin = end) {
    const double column = std::floor(x_axis.pixel(series.x[begin]));
    while (end < series.x.size() && std::floor(x_axis.pixel(series.x[end])) == column) ++end;
    const auto first = series.y.begin() + static_cast<ptrdiff_t>(begin);
    const auto last = series.y.begin() + static_cast<ptrdiff_t>(end);
    const auto [low, high] = std::minmax_element(first, last);
    std::vector<size_t> chosen{begin, static_cast<size_t>(low - series.y.begin()),
                               static_cast<size_t>(high - series.y.begin()), end - 1};
    std::ranges::sort(chosen);
    const auto surplus = std::ranges::unique(chosen);
    chosen.erase(surplus.begin(), surplus.end());
    kept.insert(kept.end(), chosen.begin(), chosen.end());
  }
  return kept;
}

std::string joined_numbers(const std::vector<double>& values) {
  std::string text;
  for (double value : values) text += fmt::format("{}{:.7g}", text.empty() ? "" : " ", value);
  return text;
}

/// The curve, with its values as attributes for assets/charts.js.
std::string draw_series(const Series& series, const Axis& x_axis, const Axis& y_axis, Scale scale) {
  std::string path, markers;
  std::vector<double> xs, ys, pixels;
  bool pen_down = false;
  double previous_y = 0;
  for (size_t i : visible_points(series, x_axis)) {
    if (!can_be_drawn(series.y[i], scale)) {
      pen_down = false;
      continue;
    }
    const double x = x_axis.pixel(series.x[i]), y = y_axis.pixel(series.y[i]);
    if (pen_down && series.curve == Curve::kStairs)
      path += fmt::format("L{:.1f} {:.1f}", x, previous_y);
    path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x, y);
    if (series.curve == Curve::kMarkedLine || series.x.size() == 1) {
      markers += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>", x, y);
    }
    pen_down = true;
    previous_y = y;
    xs.push_back(series.x[i]);
    ys.push_back(series.y[i]);
    pixels.push_back(std::round(x * 10) / 10);
    pixels.push_back(std::round(y * 10) / 10);
  }
  return fmt::format(
      "<g class=\"series s{}\" data-name=\"{}\" data-x=\"{}\" data-y=\"{}\" data-pixels=\"{}\">"
      "<path d=\"{}\"/>{}</g>\n",
      series.colour % kColours, escaped(series.name), joined_numbers(xs), joined_numbers(ys),
      joined_numbers(pixels), path, markers);
}

struct Legend {
  std::string body;
  double height = 0;
};

size_t characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Legend draw_legend(const LineChart& chart) {
  Legend legend;
  if (chart.series.size() < 2) return legend;
  double x = kLeft, y = kTitle + 4;
  for (const auto& series : chart.series) {
    const double width = 28 + kLegendCharacter * static_cast<double>(characters(series.name)) + 14;
    if (x > kLeft && x + width > chart.width) {
      x = kLeft;
      y += kLegendLine;
    }
    legend.body +=
        fmt::format("<g class=\"series s{}\"><path d=\"M{:.1f} {:.1f}h22\"/></g>\n{}",
                    series.colour % kColours, x, y - 4, svg_text(x + 27, y, series.name, "legend"));
    x += width;
  }
  legend.height = y - kTitle + 8;
  return legend;
}

std::string draw_x_axis(const Axis& axis, double top, double bottom, int count) {
  std::string body;
  for (const auto& tick : axis.ticks(count)) {
    const double x = axis.pixel(tick.value);
    body += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>", x, top, bottom);
    body += svg_text(x, bottom + 15, tick.label, "tick", "text-anchor=\"middle\"");
  }
  return body;
}

std::string draw_y_axis(const Axis& axis, double left, double right, int count) {
  std::string body;
  for (const auto& tick : axis.ticks(count)) {
    const double y = axis.pixel(tick.value);
    body += fmt::format("<path class=\"grid\" d=\"M{1:.1f} {0:.1f}H{2:.1f}\"/>", y, left, right);
    body += svg_text(left - 6, y + 3.8, tick.label, "tick", "text-anchor=\"end\"");
  }
  return body;
}

}  // namespace

Drawing draw(const LineChart& chart) {
  Drawing drawing{chart.width, chart.height, svg_text(0, 14, chart.title, "title")};
  Range x_range, y_range;
  for (const auto& series : chart.series) {
    for (double x : series.x) x_range.add(x);
    for (double y : series.y) {
      if (can_be_drawn(y, chart.y_scale)) y_range.add(y);
    }
  }
  const auto legend = draw_legend(chart);
  const double top = kTitle + legend.height, bottom = chart.height - kBottom;
  const double right = chart.width - kRight, middle = (kLeft + right) / 2;
  if (x_range.empty() || y_range.empty()) {
    drawing.body +=
        svg_text(middle, (top + bottom) / 2, "nothing yet", "tick", "text-anchor=\"middle\"");
    return drawing;
  }

  if (chart.x_low) x_range.add(*chart.x_low);
  if (chart.x_high) x_range.add(*chart.x_high);
  if (chart.y_low) y_range.add(*chart.y_low);
  const Axis x_axis(Scale::kLinear, x_range.low, x_range.high, kLeft, right);
  const Axis y_axis = Axis::round(chart.y_scale, y_range.low, y_range.high, bottom, top, 5);
  drawing.body += legend.body;
  drawing.body += draw_x_axis(x_axis, top, bottom, 6) + draw_y_axis(y_axis, kLeft, right, 5);
  drawing.body += fmt::format("<path class=\"axis\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n",
                              kLeft, top, bottom, right);
  for (const auto& series : chart.series) {
    drawing.body += draw_series(series, x_axis, y_axis, chart.y_scale);
  }
  drawing.body += svg_text(middle, chart.height - 8, chart.x_title + x_axis.factor_text(), "label",
                           "text-anchor=\"middle\"");
  const double y = (top + bottom) / 2;
  drawing.body +=
      svg_text(12, y, chart.y_title + y_axis.factor_text(), "label",
               fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 12 {:.1f})\"", y));
  return drawing;
}

}  // namespace xformer
