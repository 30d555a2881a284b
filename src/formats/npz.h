// numpy's .npz: named arrays in a zip archive.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "libtorch.h"

namespace xformer {

/// The arrays of a file, float32, float16 or int8, in memory of their own. Throws UserError naming
/// the file and the reason when it is missing or damaged, when an array is in Fortran order or of
/// another type.
std::map<std::string, torch::Tensor> read_npz(const std::filesystem::path& path);

}  // namespace xformer
