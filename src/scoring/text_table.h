// Tables for a terminal, framed as Python's tabulate frames a "fancy_grid".
#pragma once

#include <string>
#include <vector>

namespace xformer {

/// A cell is a list of lines.
using TableCell = std::vector<std::string>;

/// The first row is the header. The first column is flush right, the others are centred.
std::string format_table(const std::vector<std::vector<TableCell>>& rows);

}  // namespace xformer
