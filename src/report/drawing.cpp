#include "report/drawing.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/assets.h"

namespace xformer {
namespace {

constexpr double kGap = 24;

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      case '\0':  // neither may hold it
        safe += "\xEF\xBF\xBD";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string svg_text(double x, double y, std::string_view text, std::string_view style,
                     std::string_view attributes) {
  return fmt::format("<text x=\"{:.5g}\" y=\"{:.5g}\" class=\"{}\" {}>{}</text>\n", x, y, style,
                     attributes, escaped(text));
}

Drawing arranged(const std::vector<Drawing>& drawings, size_t columns) {
  Drawing all;
  double x = 0, y = 0, row_height = 0;
  for (size_t i = 0; i < drawings.size(); ++i) {
    if (i > 0 && i % columns == 0) {
      x = 0;
      y += row_height + kGap;
      row_height = 0;
    }
    all.body +=
        fmt::format("<g transform=\"translate({:.5g} {:.5g})\">\n{}</g>\n", x, y, drawings[i].body);
    all.width = std::max(all.width, x + drawings[i].width);
    row_height = std::max(row_height, drawings[i].height);
    all.height = y + row_height;
    x += drawings[i].width + kGap;
  }
  return all;
}

std::string svg_file(const Drawing& drawing, std::string_view title) {
  constexpr double kMargin = 12;
  const double width = drawing.width + 2 * kMargin, height = drawing.height + 2 * kMargin;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" width=\"{0:.6g}\" "
      "height=\"{1:.6g}\" viewBox=\"{2:.6g} {2:.6g} {0:.6g} {1:.6g}\">\n<title>{3}</title>\n"
      "<style>\n{4}</style>\n<rect class=\"paper\" x=\"{2:.6g}\" y=\"{2:.6g}\" width=\"{0:.6g}\" "
      "height=\"{1:.6g}\"/>\n{5}</svg>\n",
      width, height, -kMargin, escaped(title), kFigureCss, drawing.body);
}

std::string svg_element(const Drawing& drawing, std::string_view label) {
  return fmt::format(
      "<svg class=\"figure\" role=\"img\" aria-label=\"{}\" width=\"{:.6g}\" viewBox=\"0 0 {:.6g} "
      "{:.6g}\">\n{}</svg>\n",
      escaped(label), drawing.width, drawing.width, drawing.height, drawing.body);
}

}  // namespace xformer
