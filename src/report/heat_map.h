// Tables of numbers as fields of colour.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/drawing.h"

namespace xformer {

struct HeatMap {
  std::string title, x_title, y_title;
  std::vector<std::string> columns, rows;  ///< labels; an empty one leaves its place blank
  std::vector<float> values;  ///< row by row, from -1 to 1; the colour of 0 is that of the paper
  double cell_width = 18, cell_height = 18;  ///< pixels
  bool slanted = false;                      ///< column labels are text, not numbers
  std::string scale_title{};                 ///< beside a bar of the colours; empty: no bar
  bool values_in_titles = false;  ///< each cell tells its labels and value to the pointer
};

Drawing draw(const HeatMap& map);

/// Labels 0, step, 2 step, ... of `count` places, the others blank.
std::vector<std::string> numbered(int64_t count, int64_t step);

}  // namespace xformer
