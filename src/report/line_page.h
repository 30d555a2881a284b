// The lines of a scored text as a table that a person can sort.
#pragma once

#include <string>

#include "scoring/line_report.h"

namespace xformer {

/// All lines as a table in a page that needs nothing else; a click on a heading sorts it.
std::string to_page(const LineReport& report, int decimals);

}  // namespace xformer
