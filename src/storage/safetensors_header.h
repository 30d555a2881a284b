// The header of a safetensors file: which tensors it holds, and where. No tensors yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/file_descriptor.h"

namespace xformer {

/// In the order in which the reference package lays tensors out: the widest first, so that each is
/// aligned.
enum class StoredType {
  kInt64,
  kFloat64,
  kFloat32,
  kInt32,
  kBFloat16,
  kFloat16,
  kInt16,
  kInt8,
  kUInt8,
  kBool
};

/// As the file format calls it: F32, I64, ...
const char* name_of(StoredType type);

/// A tensor and where it lies in the data behind the header, in bytes.
struct StoredTensor {
  std::string name;
  StoredType type = StoredType::kFloat32;
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;
};

struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;  ///< as they lie in the file
  std::map<std::string, std::string> metadata;
  size_t data_start = 0;  ///< of the data in the file, in bytes
};

/// Trusts nothing: every length, offset, dtype and shape is checked. Throws UserError naming `path`
/// and the reason when the file is damaged or not safetensors.
SafetensorsHeader read_safetensors_header(const FileDescriptor& file,
                                          const std::filesystem::path& path);

/// Puts the tensors in the order of the reference package, by type and name, one behind the other;
/// the begins and ends that they come with do not count. Returns what stands before their data.
std::string lay_out_safetensors(SafetensorsHeader& header);

}  // namespace xformer
