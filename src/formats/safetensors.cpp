#include "formats/safetensors.h"

#include <algorithm>
#include <span>

#include "config/json_text.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/file_descriptor.h"
#include "storage/mapped_safetensors.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

struct TypePair {
  StoredType stored;
  torch::ScalarType scalar;
};

constexpr TypePair kTypePairs[] = {
    {StoredType::kInt64, torch::kInt64},       {StoredType::kFloat64, torch::kFloat64},
    {StoredType::kFloat32, torch::kFloat32},   {StoredType::kInt32, torch::kInt32},
    {StoredType::kBFloat16, torch::kBFloat16}, {StoredType::kFloat16, torch::kFloat16},
    {StoredType::kInt16, torch::kInt16},       {StoredType::kInt8, torch::kInt8},
    {StoredType::kUInt8, torch::kUInt8},       {StoredType::kBool, torch::kBool},
};

torch::ScalarType scalar_type(StoredType type) {
  return std::ranges::find(kTypePairs, type, &TypePair::stored)->scalar;
}

StoredType stored_type(torch::ScalarType type) {
  const auto* found = std::ranges::find(kTypePairs, type, &TypePair::scalar);
  TORCH_CHECK(found != std::end(kTypePairs), "safetensors files hold no tensors of type ", type);
  return found->stored;
}

torch::Tensor read_tensor(const FileDescriptor& file, const fs::path& path,
                          const StoredTensor& stored, size_t data_start) {
  torch::Tensor tensor = torch::empty(stored.shape, scalar_type(stored.type));
  const std::span bytes(static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes());
  read_at(file, path, data_start + stored.begin, bytes);
  // The language knows no other bool, and compilers rely on it.
  const auto is_bool = [](std::byte byte) { return byte <= std::byte{1}; };
  if (stored.type == StoredType::kBool && !std::all_of(bytes.begin(), bytes.end(), is_bool))
    throw UserError(path.string() + ": is damaged: tensor " + shown_key(stored.name) +
                    " holds something other than true and false");
  return tensor;
}

}  // namespace

TensorFile read_safetensors(const fs::path& path) {
  const FileDescriptor file = open_to_read(path);
  const auto header = read_safetensors_header(file, path);
  TensorFile result;
  result.metadata = header.metadata;
  for (const StoredTensor& stored : header.tensors)
    result.tensors[stored.name] = read_tensor(file, path, stored, header.data_start);
  return result;
}

TensorFile map_safetensors(const fs::path& path) {
  const auto mapped = std::make_shared<const MappedSafetensors>(path);
  TensorFile result;
  result.metadata = mapped->header().metadata;
  for (const StoredTensor& stored : mapped->header().tensors) {
    void* data = const_cast<std::byte*>(mapped->bytes(stored).data());
    result.tensors[stored.name] =
        torch::from_blob(data, stored.shape, [mapped](void*) {}, scalar_type(stored.type));
  }
  return result;
}

void write_safetensors(const fs::path& path, const TensorFile& file) {
  SafetensorsHeader header{.tensors = {}, .metadata = file.metadata};
  for (const auto& [name, tensor] : file.tensors) {
    header.tensors.push_back(
        {.name = name, .type = stored_type(tensor.scalar_type()), .shape = tensor.sizes().vec()});
  }
  AtomicFile output(path);
  output.write(lay_out_safetensors(header));
  for (const StoredTensor& stored : header.tensors) {
    const torch::Tensor tensor = file.tensors.at(stored.name).detach().to(torch::kCPU).contiguous();
    output.write(std::span(static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()));
  }
  output.commit();
}

}  // namespace xformer
