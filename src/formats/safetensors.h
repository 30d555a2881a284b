// The safetensors file format: named tensors and string metadata, nothing that can run code.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "libtorch.h"

namespace xformer {

struct TensorFile {
  std::map<std::string, torch::Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Reads a whole file into memory that its tensors own. Every length, offset, dtype and shape is
/// checked before use. Throws UserError naming the file and the reason when it is missing, damaged
/// or not safetensors.
TensorFile read_safetensors(const std::filesystem::path& path);

/// The same, but the tensors are the file itself, mapped for reading: nobody may write to them, and
/// the file may be replaced but not changed. The content of bool tensors is not checked.
TensorFile map_safetensors(const std::filesystem::path& path);

/// Writes beside, flushes, then renames, so that `path` holds either its old content or all of the
/// new one. Tensors of any device and layout are written contiguous from the CPU. Throws RunError
/// (disk full, ...).
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace xformer
