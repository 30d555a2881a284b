// HTML pages that open from the disk: everything that they need is inside.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace xformer {

struct Page {
  std::string title;
  std::string body;                       ///< HTML
  std::vector<std::string_view> scripts;  ///< of report/assets.h, run when the body is there
};

/// The whole file. Its content policy lets the browser fetch nothing.
std::string html_file(const Page& page);

/// A value for scripts to read: an element of the given id. No text in it can end the element.
std::string data_element(std::string_view id, const nlohmann::ordered_json& value);

}  // namespace xformer
