#include "commands/output_folder.h"

#include "runtime/error.h"

namespace xformer {

namespace fs = std::filesystem;

void prepare_output_folder(const fs::path& folder, bool overwrite) {
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    throw UserError(folder.string() + ": is a file, --output must be a folder");
  }
  if (fs::exists(folder) && !fs::is_empty(folder) && !overwrite) {
    throw UserError(folder.string() +
                    ": is not empty, --output must be a new or empty folder, or --overwrite given");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError(folder.string() + ": cannot be made: " + error.message());
}

}  // namespace xformer
