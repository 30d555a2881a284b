#include "report/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/assets.h"
#include "report/drawing.h"

namespace xformer {

std::string html_file(const Page& page) {
  std::string scripts;
  for (const auto script : page.scripts) scripts += fmt::format("<script>\n{}</script>\n", script);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n{}{}</body>\n</html>\n",
      escaped(page.title), kPageCss, kFigureCss, page.body, scripts);
}

std::string data_element(std::string_view id, const nlohmann::ordered_json& value) {
  const auto json =
      value.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(json.size());
  for (char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, safe);
}

}  // namespace xformer
