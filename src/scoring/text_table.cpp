#include "scoring/text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "scoring/code_points.h"

namespace xformer {
namespace {

/// Columns are at least this much wider than their header.
constexpr size_t kHeaderRoom = 2;

size_t characters(const std::string& text) {
  size_t count = 0;
  for_each_character(text, [&](UChar32) { ++count; });
  return count;
}

std::vector<size_t> column_widths(const std::vector<std::vector<TableCell>>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    const size_t room = &row == &rows.front() ? kHeaderRoom : 0;
    for (size_t c = 0; c < widths.size(); ++c) {
      for (const std::string& line : row[c])
        widths[c] = std::max(widths[c], characters(line) + room);
    }
  }
  return widths;
}

std::string rule(const std::vector<size_t>& widths, const char* const (&marks)[4]) {
  const auto [left, line, cross, right] = marks;
  std::string text = left;
  for (size_t c = 0; c < widths.size(); ++c) {
    if (c > 0) text += cross;
    for (size_t i = 0; i < widths[c] + 2; ++i) text += line;
  }
  return text + right + "\n";
}

std::string padded(const std::string& text, size_t width, bool flush_right) {
  const size_t gap = width - characters(text), left = flush_right ? gap : gap / 2;
  return std::string(left, ' ') + text + std::string(gap - left, ' ');
}

std::string format_row(const std::vector<TableCell>& row, const std::vector<size_t>& widths) {
  size_t lines = 0;
  for (const TableCell& cell : row) lines = std::max(lines, cell.size());
  std::string text;
  for (size_t line = 0; line < lines; ++line) {
    text += "│";
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string content = line < row[c].size() ? row[c][line] : "";
      text += " " + padded(content, widths[c], c == 0) + " │";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string format_table(const std::vector<std::vector<TableCell>>& rows) {
  const auto widths = column_widths(rows);
  std::string text = rule(widths, {"╒", "═", "╤", "╕"});
  for (size_t r = 0; r < rows.size(); ++r) {
    if (r == 1) text += rule(widths, {"╞", "═", "╪", "╡"});
    if (r > 1) text += rule(widths, {"├", "─", "┼", "┤"});
    text += format_row(rows[r], widths);
  }
  return text + rule(widths, {"╘", "═", "╧", "╛"});
}

}  // namespace xformer
