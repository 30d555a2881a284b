// A safetensors file as the memory that it is mapped to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "runtime/mapped_file.h"
#include "storage/safetensors_header.h"

namespace xformer {

/// The file may be replaced but not changed while this lives.
class MappedSafetensors {
 public:
  /// Throws UserError when the file is missing, damaged or not safetensors.
  explicit MappedSafetensors(const std::filesystem::path& path)
      : header_(read_safetensors_header(open_to_read(path), path)), file_(path) {}

  const SafetensorsHeader& header() const { return header_; }
  std::span<const std::byte> bytes(const StoredTensor& tensor) const {
    return file_.bytes().subspan(header_.data_start + tensor.begin, tensor.end - tensor.begin);
  }
  /// Gives the memory of the pages touched so far back.
  void release() const { file_.release(); }

 private:
  SafetensorsHeader header_;
  MappedFile file_;
};

}  // namespace xformer
