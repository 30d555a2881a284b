// The files in assets/, which the build turns into constants, so that a page needs nothing beside
// it.
#pragma once

#include <string_view>

namespace xformer {

extern const std::string_view kFigureCss;    ///< colours and fonts of drawings
extern const std::string_view kPageCss;      ///< layout of pages
extern const std::string_view kNumbersJs;    ///< weights out of an attention page's data
extern const std::string_view kAttentionJs;  ///< draws them, and answers the pointer and the keys
extern const std::string_view kChartsJs;     ///< reads values out of line charts
extern const std::string_view kRefreshJs;    ///< a report's age, and its next version
extern const std::string_view kLinesJs;      ///< sorts a table of lines

}  // namespace xformer
