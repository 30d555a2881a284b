// Folders that commands write.
#pragma once

#include <filesystem>
#include <string_view>

namespace xformer {

/// Makes a folder, or takes one that is empty or whose files may be replaced. Throws UserError
/// otherwise; `path` is what --output names.
void prepare_output_folder(const std::filesystem::path& path, bool overwrite);

/// Throws UserError, which names the option, when there is no folder for a file to lie in.
void require_folder_of(const std::filesystem::path& file, std::string_view option);

/// A model's folder that is written beside, and comes under its name when it is whole.
class StagedModelFolder {
 public:
  /// Throws as prepare_output_folder does.
  StagedModelFolder(const std::filesystem::path& path, bool overwrite);
  /// Removes what was not committed.
  ~StagedModelFolder();
  StagedModelFolder(const StagedModelFolder&) = delete;
  StagedModelFolder& operator=(const StagedModelFolder&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return staged_; }
  /// Puts the files into the folder that was asked for, in the place of a model that is there.
  /// Killed at any moment, it leaves one of the two models, or none, but no mixture.
  void commit();

 private:
  std::filesystem::path final_, staged_;
};

}  // namespace xformer
