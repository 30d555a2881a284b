// The file that a picture goes into.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// The ending of an --output file. Throws UserError when it is none of those allowed (".svg"), or
/// the file's folder does not exist.
std::string picture_format(const std::string& output, const std::vector<std::string>& allowed);

/// Writes the picture and says on stdout where it is.
void write_picture(const std::string& output, std::string_view content);

}  // namespace xformer
