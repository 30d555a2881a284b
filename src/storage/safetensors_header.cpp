#include "storage/safetensors_header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "config/json_text.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLengthBytes = 8;                ///< the header's length, little-endian
constexpr uint64_t kLongestHeader = 100'000'000;  ///< the limit of the reference package
constexpr size_t kMostDimensions = 64;            ///< torch's own limit for most operations
constexpr const char* kMetadataKey = "__metadata__";

struct NamedType {
  const char* name;
  StoredType type;
  uint64_t width;  ///< bytes of an element
};

constexpr NamedType kTypes[] = {
    {"I64", StoredType::kInt64, 8},     {"F64", StoredType::kFloat64, 8},
    {"F32", StoredType::kFloat32, 4},   {"I32", StoredType::kInt32, 4},
    {"BF16", StoredType::kBFloat16, 2}, {"F16", StoredType::kFloat16, 2},
    {"I16", StoredType::kInt16, 2},     {"I8", StoredType::kInt8, 1},
    {"U8", StoredType::kUInt8, 1},      {"BOOL", StoredType::kBool, 1},
};

const NamedType& find_type(StoredType type) {
  return *std::ranges::find(kTypes, type, &NamedType::type);
}

uint64_t element_count(const std::vector<int64_t>& shape) {
  uint64_t count = 1;
  for (const int64_t size : shape) count *= static_cast<uint64_t>(size);
  return count;
}

/// Reads a header without trusting it.
class HeaderReader {
 public:
  HeaderReader(const fs::path& path, size_t file_size) : path_(path), file_size_(file_size) {}

  SafetensorsHeader read(const FileDescriptor& file) {
    SafetensorsHeader header;
    const std::string text = read_text(file);
    header.data_start = kLengthBytes + text.size();
    const auto root = parse_strict_json(text, path_.string() + ": the header");
    if (!root.is_object()) refuse("its header is no JSON object");
    for (const auto& [name, value] : root.items()) {
      if (name == kMetadataKey)
        header.metadata = read_metadata(value);
      else
        header.tensors.push_back(read_tensor(name, value));
    }
    check_layout(header);
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw UserError(path_.string() + ": is damaged or no safetensors file: " + reason);
  }

  [[noreturn]] void refuse_tensor(const std::string& name, const std::string& reason) const {
    refuse("tensor " + shown_key(name) + " " + reason);
  }

  std::string read_text(const FileDescriptor& file) const {
    unsigned char prefix[kLengthBytes];
    if (file_size_ < kLengthBytes)
      refuse("it has " + std::to_string(file_size_) + " bytes, fewer than the shortest header");
    read_at(file, path_, 0, std::as_writable_bytes(std::span(prefix)));
    uint64_t length = 0;
    for (size_t i = kLengthBytes; i-- > 0;) length = length << 8 | prefix[i];
    if (length > kLongestHeader || length > file_size_ - kLengthBytes)
      refuse("its header claims " + std::to_string(length) + " bytes, the file has " +
             std::to_string(file_size_));
    std::string text(length, '\0');
    read_at(file, path_, kLengthBytes, std::as_writable_bytes(std::span(text)));
    return text;
  }

  std::map<std::string, std::string> read_metadata(const nlohmann::json& value) const {
    std::map<std::string, std::string> metadata;
    if (!value.is_object()) refuse("its metadata is no JSON object");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) refuse("its metadata " + shown_key(key) + " is no text");
      metadata[key] = text.get<std::string>();
    }
    return metadata;
  }

  StoredTensor read_tensor(const std::string& name, const nlohmann::json& value) const {
    for (const char* key : {"dtype", "shape", "data_offsets"})
      if (!value.is_object() || !value.contains(key))
        refuse_tensor(name, "has no " + std::string(key));
    StoredTensor tensor;
    tensor.name = name;
    tensor.type = read_type(name, value["dtype"]);
    tensor.shape = read_shape(name, value["shape"]);
    const auto offsets = read_numbers(name, value["data_offsets"], "data_offsets");
    if (offsets.size() != 2 || offsets[0] > offsets[1])
      refuse_tensor(name, "has data_offsets that are not a begin and an end");
    tensor.begin = static_cast<uint64_t>(offsets[0]);
    tensor.end = static_cast<uint64_t>(offsets[1]);
    check_size(tensor);
    return tensor;
  }

  StoredType read_type(const std::string& name, const nlohmann::json& value) const {
    for (const NamedType& known : kTypes)
      if (value == known.name) return known.type;
    refuse_tensor(name, "has dtype " + shown(value) + ", which is not supported");
  }

  std::vector<int64_t> read_shape(const std::string& name, const nlohmann::json& value) const {
    std::vector<int64_t> shape = read_numbers(name, value, "shape");
    if (shape.size() > kMostDimensions)
      refuse_tensor(name, "has " + std::to_string(shape.size()) + " dimensions");
    // Next to a dimension of 0 the others must not overflow either: torch multiplies them for
    // strides.
    int64_t volume = 1;
    for (const int64_t size : shape)
      if (__builtin_mul_overflow(volume, std::max<int64_t>(size, 1), &volume))
        refuse_tensor(name, "has a shape too large for any memory");
    return shape;
  }

  std::vector<int64_t> read_numbers(const std::string& name, const nlohmann::json& value,
                                    const char* what) const {
    std::vector<int64_t> numbers;
    if (!value.is_array()) refuse_tensor(name, std::string("has a ") + what + " that is no list");
    for (const auto& number : value) {
      if (!number.is_number_unsigned() || number.get<uint64_t>() > INT64_MAX)
        refuse_tensor(name, std::string("has ") + shown(number) + " in its " + what);
      numbers.push_back(number.get<int64_t>());
    }
    return numbers;
  }

  void check_size(const StoredTensor& tensor) const {
    const uint64_t elements = element_count(tensor.shape);
    const uint64_t bytes = tensor.end - tensor.begin;
    const uint64_t width = find_type(tensor.type).width;
    // Divided, as the product could overflow.
    if (bytes % width != 0 || bytes / width != elements)
      refuse_tensor(tensor.name, "has " + std::to_string(bytes) + " bytes, its shape needs " +
                                     std::to_string(elements) + " times " + std::to_string(width));
  }

  /// The tensors must cover the data from its first to its last byte, one behind the other.
  void check_layout(SafetensorsHeader& header) const {
    std::ranges::sort(header.tensors, {}, [](const StoredTensor& tensor) {
      return std::pair(tensor.begin, tensor.end);
    });
    uint64_t end = 0;
    for (const StoredTensor& tensor : header.tensors) {
      if (tensor.begin != end)
        refuse_tensor(tensor.name, "begins at byte " + std::to_string(tensor.begin) +
                                       " of the data, the one before ends at " +
                                       std::to_string(end));
      end = tensor.end;
    }
    const uint64_t data_size = file_size_ - header.data_start;
    if (end != data_size)
      refuse("its tensors need " + std::to_string(end) + " bytes of data, the file has " +
             std::to_string(data_size));
  }

  const fs::path& path_;
  const size_t file_size_;
};

}  // namespace

const char* name_of(StoredType type) {
  return find_type(type).name;
}

SafetensorsHeader read_safetensors_header(const FileDescriptor& file, const fs::path& path) {
  return HeaderReader(path, file_size_of(file, path)).read(file);
}

std::string lay_out_safetensors(SafetensorsHeader& header) {
  std::ranges::sort(header.tensors, {},
                    [](const StoredTensor& tensor) { return std::pair(tensor.type, tensor.name); });
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  if (!header.metadata.empty()) root[kMetadataKey] = header.metadata;
  uint64_t end = 0;
  for (StoredTensor& tensor : header.tensors) {
    if (tensor.name == kMetadataKey) {
      throw std::invalid_argument(std::string("a tensor cannot be called ") + kMetadataKey);
    }
    tensor.begin = end;
    end += element_count(tensor.shape) * find_type(tensor.type).width;
    tensor.end = end;
    root[tensor.name] = {{"dtype", name_of(tensor.type)},
                         {"shape", tensor.shape},
                         {"data_offsets", {tensor.begin, tensor.end}}};
  }
  // Padded with spaces so that the data starts at a multiple of 8.
  std::string text = root.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string prefix;
  for (size_t i = 0; i < kLengthBytes; ++i)
    prefix += static_cast<char>(static_cast<uint64_t>(text.size()) >> 8 * i & 0xFF);
  header.data_start = prefix.size() + text.size();
  return prefix + text;
}

}  // namespace xformer
