#include "commands/output_folder.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/error.h"
#include "storage/model_folder.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// "model" for "model/": a folder beside it is to have another name, not to lie inside.
fs::path without_slash(const fs::path& path) {
  const auto whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

}  // namespace

void prepare_output_folder(const fs::path& path, bool overwrite) {
  if (fs::exists(path) && !fs::is_directory(path)) {
    throw UserError(path.string() + ": is a file, --output must be a folder");
  }
  if (fs::exists(path) && !fs::is_empty(path) && !overwrite) {
    throw UserError(path.string() +
                    ": is not empty, --output must be a new or empty folder, or --overwrite given");
  }
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw UserError(path.string() + ": cannot be made: " + error.message());
}

void require_folder_of(const fs::path& file, std::string_view option) {
  const auto folder = file.parent_path();
  if (folder.empty() || fs::is_directory(folder)) return;
  throw UserError(std::string(option) + " is \"" + file.string() + "\", but there is no folder " +
                  folder.string());
}

StagedModelFolder::StagedModelFolder(const fs::path& path, bool overwrite)
    : final_(without_slash(path)) {
  prepare_output_folder(path, overwrite);
  staged_ = final_.parent_path() /
            ("." + final_.filename().string() + ".new-" + std::to_string(getpid()));
  prepare_output_folder(staged_, false);
}

StagedModelFolder::~StagedModelFolder() {
  std::error_code ignored;
  fs::remove_all(staged_, ignored);
}

void StagedModelFolder::commit() {
  remove_model(final_);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(staged_)) files.push_back(entry.path());
  // Without its configuration a folder is no model yet.
  std::ranges::sort(files, {},
                    [](const fs::path& file) { return file.filename() == "config.json"; });
  for (const auto& file : files) fs::rename(file, final_ / file.filename());
}

}  // namespace xformer
