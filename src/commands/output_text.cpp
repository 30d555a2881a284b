#include "commands/output_text.h"

#include <filesystem>

#include "runtime/error.h"

namespace xformer {

std::unique_ptr<LineWriter> open_output(const std::string& output,
                                        const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  if (output.empty()) return std::make_unique<LineWriter>();
  for (const auto& input : inputs) {
    std::error_code none;
    const bool same = fs::is_regular_file(output, none) &&
                      fs::equivalent(output, input.empty() ? "/dev/stdin" : input, none);
    if (same) throw UserError("--output " + output + ": is read too, must be another file");
  }
  return std::make_unique<LineWriter>(output);
}

}  // namespace xformer
