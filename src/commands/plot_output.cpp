#include "commands/plot_output.h"

#include <algorithm>
#include <filesystem>

#include "commands/output_folder.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/line_writer.h"

namespace xformer {

std::string picture_format(const std::string& output, const std::vector<std::string>& allowed) {
  const auto format = std::filesystem::path(output).extension().string();
  if (std::ranges::find(allowed, format) == allowed.end()) {
    std::string endings;
    for (const auto& ending : allowed) endings += (endings.empty() ? "" : " or ") + ending;
    throw UserError("--output is \"" + output + "\", must end in " + endings);
  }
  require_folder_of(output, "--output");
  return format;
}

void write_picture(const std::string& output, std::string_view content) {
  write_file_atomically(output, content);
  LineWriter().write(output + "\n");
}

}  // namespace xformer
