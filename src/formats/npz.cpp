#include "formats/npz.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

#include "config/json_text.h"
#include "formats/zip_archive.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;

constexpr std::string_view kMark = "\x93NUMPY", kSuffix = ".npy";

struct ArrayType {
  std::string_view name;
  torch::ScalarType type;
};

constexpr ArrayType kArrayTypes[] = {{"<f4", torch::kFloat32},
                                     {"<f2", torch::kFloat16},
                                     {"|i1", torch::kInt8},
                                     {"<i1", torch::kInt8}};

/// One array: a mark, the length of a header, the header (a Python dictionary), the numbers.
class ArrayReader {
 public:
  ArrayReader(const fs::path& path, const std::string& name, Bytes bytes)
      : path_(path), name_(name), bytes_(bytes) {}

  torch::Tensor read() {
    header_ = read_header();
    if (!value_of("fortran_order").starts_with("False")) refuse("is in Fortran order");
    auto tensor = torch::empty(read_shape(), read_type());
    if (tensor.nbytes() != bytes_.size()) {
      refuse("has " + std::to_string(bytes_.size()) + " bytes, its shape needs " +
             std::to_string(tensor.nbytes()));
    }
    if (!bytes_.empty()) std::memcpy(tensor.data_ptr(), bytes_.data(), bytes_.size());
    return tensor;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw UserError(path_.string() + ": array " + shown_key(name_) + " " + reason);
  }

  std::string_view take(size_t size) {
    if (size > bytes_.size()) refuse("ends too soon");
    const std::string_view taken(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }

  std::string_view read_header() {
    if (take(kMark.size()) != kMark) refuse("is none of numpy's");
    const auto version = static_cast<unsigned char>(take(2)[0]);
    size_t length = 0;
    const auto digits = take(version == 1 ? 2 : 4);
    for (size_t i = digits.size(); i-- > 0;) length = length << 8 | static_cast<uint8_t>(digits[i]);
    return take(length);
  }

  /// The rest of the header from the value of `key` on.
  std::string_view value_of(std::string_view key) const {
    const auto quoted = "'" + std::string(key) + "':";
    const size_t at = header_.find(quoted);
    if (at == header_.npos) refuse("has no " + std::string(key) + " in its header");
    const auto value = header_.substr(at + quoted.size());
    return value.substr(std::min(value.find_first_not_of(' '), value.size()));
  }

  torch::ScalarType read_type() const {
    auto name = value_of("descr");
    name = name.substr(0, name.find_first_of(",}"));
    if (name.size() >= 2) name = name.substr(1, name.size() - 2);  // quotes
    for (const auto& known : kArrayTypes) {
      if (known.name == name) return known.type;
    }
    refuse("has the type " + shown_key(std::string(name)) + ", must be <f4, <f2 or |i1");
  }

  std::vector<int64_t> read_shape() const {
    auto text = value_of("shape");
    const size_t end = text.find(')');
    if (!text.starts_with('(') || end == text.npos) refuse("has no shape");
    text = text.substr(1, end - 1);
    std::vector<int64_t> shape;
    int64_t volume = 1;
    while (!text.empty()) {
      const auto part = text.substr(0, text.find(','));
      text.remove_prefix(std::min(part.size() + 1, text.size()));
      if (part.find_first_not_of(' ') == part.npos) continue;  // behind the last comma
      shape.push_back(read_size(part));
      if (__builtin_mul_overflow(volume, std::max<int64_t>(shape.back(), 1), &volume)) {
        refuse("has a shape too large for any memory");
      }
    }
    if (static_cast<uint64_t>(volume) > bytes_.size() + 1) refuse("ends too soon");
    return shape;
  }

  int64_t read_size(std::string_view digits) const {
    digits.remove_prefix(digits.find_first_not_of(' '));
    int64_t size = -1;
    const auto [rest, error] = std::from_chars(digits.begin(), digits.end(), size);
    if (error != std::errc() || rest != digits.end() || size < 0) {
      refuse("has " + shown_key(std::string(digits)) + " in its shape");
    }
    return size;
  }

  const fs::path& path_;
  const std::string& name_;
  Bytes bytes_;  ///< what is still to be read
  std::string_view header_;
};

}  // namespace

std::map<std::string, torch::Tensor> read_npz(const fs::path& path) {
  const ZipArchive archive(path);
  std::map<std::string, torch::Tensor> arrays;
  for (const auto& [file, bytes] : archive.entries()) {
    auto name = file;
    if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
    arrays[name] = ArrayReader(path, name, bytes).read();
  }
  return arrays;
}

}  // namespace xformer
