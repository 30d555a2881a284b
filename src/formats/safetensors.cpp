#include "formats/safetensors.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "config/json_text.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/file_descriptor.h"
#include "runtime/mapped_file.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLengthBytes = 8;                ///< the header's length, little-endian
constexpr uint64_t kLongestHeader = 100'000'000;  ///< the limit of the reference package
constexpr size_t kMostDimensions = 64;            ///< torch's own limit for most operations
constexpr const char* kMetadataKey = "__metadata__";

struct NamedType {
  const char* name;
  torch::ScalarType type;
};

/// In the order in which the reference package lays tensors out: the widest first, so that each is
/// aligned.
constexpr NamedType kTypes[] = {
    {"I64", torch::kInt64}, {"F64", torch::kFloat64},   {"F32", torch::kFloat32},
    {"I32", torch::kInt32}, {"BF16", torch::kBFloat16}, {"F16", torch::kFloat16},
    {"I16", torch::kInt16}, {"I8", torch::kInt8},       {"U8", torch::kUInt8},
    {"BOOL", torch::kBool},
};

const NamedType* find_type(torch::ScalarType type) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const NamedType& known) { return known.type == type; });
  TORCH_CHECK(found != std::end(kTypes), "safetensors files hold no tensors of type ", type);
  return found;
}

/// Where one tensor lies in the data behind the header, in bytes.
struct Entry {
  std::string name;
  torch::ScalarType type;
  std::vector<int64_t> shape;
  uint64_t begin, end;
};

struct Header {
  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;
  size_t data_start;
};

/// Reads a header without trusting it.
class HeaderReader {
 public:
  HeaderReader(const fs::path& path, size_t file_size) : path_(path), file_size_(file_size) {}

  Header read(const FileDescriptor& file) {
    Header header;
    const std::string text = read_text(file);
    header.data_start = kLengthBytes + text.size();
    const auto root = parse_strict_json(text, path_.string() + ": the header");
    if (!root.is_object()) refuse("its header is no JSON object");
    for (const auto& [name, value] : root.items()) {
      if (name == kMetadataKey)
        header.metadata = read_metadata(value);
      else
        header.entries.push_back(read_entry(name, value));
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

  Entry read_entry(const std::string& name, const nlohmann::json& value) const {
    for (const char* key : {"dtype", "shape", "data_offsets"})
      if (!value.is_object() || !value.contains(key))
        refuse_tensor(name, "has no " + std::string(key));
    Entry entry;
    entry.name = name;
    entry.type = read_type(name, value["dtype"]);
    entry.shape = read_shape(name, value["shape"]);
    const auto offsets = read_numbers(name, value["data_offsets"], "data_offsets");
    if (offsets.size() != 2 || offsets[0] > offsets[1])
      refuse_tensor(name, "has data_offsets that are not a begin and an end");
    entry.begin = static_cast<uint64_t>(offsets[0]);
    entry.end = static_cast<uint64_t>(offsets[1]);
    check_size(entry);
    return entry;
  }

  torch::ScalarType read_type(const std::string& name, const nlohmann::json& value) const {
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

  void check_size(const Entry& entry) const {
    const auto elements = static_cast<uint64_t>(c10::multiply_integers(entry.shape));
    const uint64_t bytes = entry.end - entry.begin;
    const uint64_t width = c10::elementSize(entry.type);
    // Divided, as the product could overflow.
    if (bytes % width != 0 || bytes / width != elements)
      refuse_tensor(entry.name, "has " + std::to_string(bytes) + " bytes, its shape needs " +
                                    std::to_string(elements) + " times " + std::to_string(width));
  }

  /// The tensors must cover the data from its first to its last byte, one behind the other.
  void check_layout(Header& header) const {
    std::sort(header.entries.begin(), header.entries.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    uint64_t end = 0;
    for (const Entry& entry : header.entries) {
      if (entry.begin != end)
        refuse_tensor(entry.name, "begins at byte " + std::to_string(entry.begin) +
                                      " of the data, the one before ends at " +
                                      std::to_string(end));
      end = entry.end;
    }
    const uint64_t data_size = file_size_ - header.data_start;
    if (end != data_size)
      refuse("its tensors need " + std::to_string(end) + " bytes of data, the file has " +
             std::to_string(data_size));
  }

  const fs::path& path_;
  const size_t file_size_;
};

torch::Tensor read_tensor(const FileDescriptor& file, const fs::path& path, const Entry& entry,
                          size_t data_start) {
  torch::Tensor tensor = torch::empty(entry.shape, entry.type);
  const std::span bytes(static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes());
  read_at(file, path, data_start + entry.begin, bytes);
  // The language knows no other bool, and compilers rely on it.
  const auto is_bool = [](std::byte byte) { return byte <= std::byte{1}; };
  if (entry.type == torch::kBool && !std::all_of(bytes.begin(), bytes.end(), is_bool))
    throw UserError(path.string() + ": is damaged: tensor " + shown_key(entry.name) +
                    " holds something other than true and false");
  return tensor;
}

/// The tensors' names in the order of the reference package: by type, then by name.
std::vector<std::string> layout_order(const std::map<std::string, torch::Tensor>& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return find_type(tensors.at(a).scalar_type()) < find_type(tensors.at(b).scalar_type());
  });
  return names;
}

/// The length and the header itself, padded with spaces so that the data starts at a multiple of 8.
std::string header_of(const TensorFile& file, const std::vector<std::string>& names) {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  if (!file.metadata.empty()) root[kMetadataKey] = file.metadata;
  uint64_t end = 0;
  for (const std::string& name : names) {
    TORCH_CHECK(name != kMetadataKey, "a tensor cannot be called ", name);
    const torch::Tensor& tensor = file.tensors.at(name);
    const uint64_t begin = end;
    end += static_cast<uint64_t>(tensor.numel()) * tensor.element_size();
    root[name] = {{"dtype", find_type(tensor.scalar_type())->name},
                  {"shape", tensor.sizes().vec()},
                  {"data_offsets", {begin, end}}};
  }
  std::string text = root.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string prefix;
  for (size_t i = 0; i < kLengthBytes; ++i)
    prefix += static_cast<char>(static_cast<uint64_t>(text.size()) >> 8 * i & 0xFF);
  return prefix + text;
}

}  // namespace

TensorFile read_safetensors(const fs::path& path) {
  const FileDescriptor file = open_to_read(path);
  const Header header = HeaderReader(path, file_size_of(file, path)).read(file);
  TensorFile result;
  result.metadata = header.metadata;
  for (const Entry& entry : header.entries)
    result.tensors[entry.name] = read_tensor(file, path, entry, header.data_start);
  return result;
}

TensorFile map_safetensors(const fs::path& path) {
  const FileDescriptor file = open_to_read(path);
  const Header header = HeaderReader(path, file_size_of(file, path)).read(file);
  const auto mapped = std::make_shared<MappedFile>(path);
  TensorFile result;
  result.metadata = header.metadata;
  for (const Entry& entry : header.entries) {
    const auto bytes = mapped->bytes().subspan(header.data_start + entry.begin);
    void* data = const_cast<std::byte*>(bytes.data());
    result.tensors[entry.name] =
        torch::from_blob(data, entry.shape, [mapped](void*) {}, entry.type);
  }
  return result;
}

void write_safetensors(const fs::path& path, const TensorFile& file) {
  const std::vector<std::string> names = layout_order(file.tensors);
  AtomicFile output(path);
  output.write(header_of(file, names));
  for (const std::string& name : names) {
    const torch::Tensor tensor = file.tensors.at(name).detach().to(torch::kCPU).contiguous();
    output.write(std::span(static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()));
  }
  output.commit();
}

}  // namespace xformer
