// CTranslate2's model.bin: named variables and aliases, little-endian, without a checksum.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "libtorch.h"

namespace xformer {

struct Ctranslate2File {
  std::string spec = "TransformerSpec";
  uint32_t revision = 7;
  std::map<std::string, torch::Tensor> variables;  ///< attributes are those of rank 0
  std::map<std::string, std::string> aliases;      ///< to names of variables
};

/// Variables are float32, int8, int16, int32, float16 or bfloat16 of at most 255 dimensions and
/// below 4 GiB. Throws RunError when the disk does not take it.
void write_ctranslate2_file(const std::filesystem::path& path, const Ctranslate2File& file);

/// Throws UserError naming the file and the reason when it is missing, cut short or of another
/// version.
Ctranslate2File read_ctranslate2_file(const std::filesystem::path& path);

}  // namespace xformer
