// Curves over a common axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/axis.h"
#include "report/drawing.h"

namespace xformer {

enum class Curve { kLine, kMarkedLine, kStairs };

struct Series {
  std::string name;
  std::vector<double> x, y;  ///< of the same length, x rising; a y that is not finite leaves a gap
  Curve curve = Curve::kLine;
  size_t colour = 0;  ///< series of the same thing have the same one in every chart
};

struct LineChart {
  std::string title, x_title, y_title;
  std::vector<Series> series;
  Scale y_scale = Scale::kLinear;
  // Where the axes begin and end at the latest; absent: where the values do.
  std::optional<double> x_low{}, x_high{}, y_low{};
  double width = 420, height = 270;
};

/// With a legend when there is more than one series. Points too close to be told apart are left
/// out; every extreme stays.
Drawing draw(const LineChart& chart);

}  // namespace xformer
