#include "commands/import.h"

#include <filesystem>
#include <vector>

#include "commands/compute.h"
#include "commands/output_folder.h"
#include "formats/hugging_face.h"
#include "formats/imported_model.h"
#include "formats/marian_npz.h"
#include "runtime/error.h"
#include "runtime/log.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAllowed =
    "--from must be a folder of a Hugging Face Marian model, or the .npz of a Marian model";

LoadedModel read_folder(const fs::path& folder) {
  if (fs::exists(folder / "config.json")) return read_hugging_face(folder);
  std::vector<fs::path> models;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".npz") models.push_back(entry.path());
  }
  if (models.size() == 1) return read_marian_npz(models.front());
  throw UserError(folder.string() + ": has no config.json and " + std::to_string(models.size()) +
                  " .npz files, " + kAllowed);
}

LoadedModel read_foreign_model(const fs::path& from) {
  if (!fs::exists(from)) throw UserError(from.string() + ": does not exist, " + kAllowed);
  if (fs::is_directory(from)) return read_folder(from);
  const auto ending = from.extension();
  if (ending == ".npz") return read_marian_npz(from);
  std::string reason = "is neither";
  if (ending == ".zip") reason = "is an archive, to be unpacked first";
  if (ending == ".bin") {
    reason =
        "is a pickle or a model made for one kind of CPU, and is not opened: name the folder, "
        "or the .npz that it was made from";
  }
  throw UserError(from.string() + ": " + reason + "; " + kAllowed);
}

}  // namespace

int run_import(const ImportOptions& options) {
  start_compute(options.common);
  const auto model = read_foreign_model(options.from);
  StagedModelFolder folder(options.output, options.overwrite);
  write_imported_model(folder.path(), model);
  folder.commit();
  for (const auto& note : model.config.origin.notes) spdlog::warn("{}", note);
  spdlog::info("imported {} ({}): {} parameters, {} source and {} target pieces, into {}",
               options.from, model.config.origin.format, parameter_count(model.model),
               model.vocabulary.source.size(), model.vocabulary.target.size(), options.output);
  return 0;
}

}  // namespace xformer
