// The folder that a command writes a model into.
#pragma once

#include <filesystem>

namespace xformer {

/// Makes the folder. Throws UserError when it cannot be made, or has files and `overwrite` was not
/// given.
void prepare_output_folder(const std::filesystem::path& folder, bool overwrite);

}  // namespace xformer
