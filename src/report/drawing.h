// Drawings in SVG, alone or as parts of a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// Height of a picture's title.
inline constexpr double kTitle = 26;

/// Text made safe for the content and the quoted attributes of SVG and HTML.
std::string escaped(std::string_view text);

/// The inside of an <svg> element, from (0, 0) to (width, height), in pixels. Colours and fonts are
/// classes of assets/figure.css.
struct Drawing {
  double width = 0, height = 0;
  std::string body;
};

/// One piece of text. `x` and `y` are its anchor on the base line; `attributes` may hold a
/// text-anchor or a transform.
std::string svg_text(double x, double y, std::string_view text, std::string_view style,
                     std::string_view attributes = {});

/// Drawings side by side, each under the other when `columns` of them stand in a row.
Drawing arranged(const std::vector<Drawing>& drawings, size_t columns);

/// A file of its own, light or dark as its reader is set, always light on paper.
std::string svg_file(const Drawing& drawing, std::string_view title);

/// An element inside a page; `label` is what a screen reader says of it.
std::string svg_element(const Drawing& drawing, std::string_view label);

}  // namespace xformer
