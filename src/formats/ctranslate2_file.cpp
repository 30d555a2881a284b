#include "formats/ctranslate2_file.h"

#include <cstring>
#include <span>

#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/mapped_file.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kBinaryVersion = 6;

/// In the order of the format's type numbers.
constexpr torch::ScalarType kTypesByCode[] = {torch::kFloat32, torch::kInt8,    torch::kInt16,
                                              torch::kInt32,   torch::kFloat16, torch::kBFloat16};

uint8_t type_number(torch::ScalarType type) {
  const auto* found = std::find(std::begin(kTypesByCode), std::end(kTypesByCode), type);
  TORCH_CHECK(found != std::end(kTypesByCode), "CTranslate2 files hold no tensors of type ", type);
  return static_cast<uint8_t>(found - std::begin(kTypesByCode));
}

class Writer {
 public:
  explicit Writer(const fs::path& path) : file_(path) {}

  template <class Number>
  void number(Number value) {
    static_assert(std::endian::native == std::endian::little);
    file_.write(std::as_bytes(std::span(&value, 1)));
  }
  void text(const std::string& value) {
    number(static_cast<uint16_t>(value.size() + 1));  // with its NUL
    file_.write(std::string_view(value.c_str(), value.size() + 1));
  }
  void variable(const std::string& name, const torch::Tensor& value) {
    const auto tensor = value.detach().to(torch::kCPU).contiguous();
    TORCH_CHECK(tensor.nbytes() <= UINT32_MAX, name, " is larger than 4 GiB");
    text(name);
    number(static_cast<uint8_t>(tensor.dim()));
    for (const int64_t size : tensor.sizes()) number(static_cast<uint32_t>(size));
    number(type_number(tensor.scalar_type()));
    number(static_cast<uint32_t>(tensor.nbytes()));
    file_.write(std::span(static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()));
  }
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
};

class Reader {
 public:
  explicit Reader(const fs::path& path) : path_(path), file_(path), rest_(file_.bytes()) {}

  [[noreturn]] void refuse(const std::string& reason) const {
    throw UserError(path_.string() + ": is damaged or no CTranslate2 model: " + reason);
  }
  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() {
    const auto bytes = take(number<uint16_t>());
    if (bytes.empty() || bytes.back() != std::byte{0}) refuse("a name does not end");
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size() - 1};
  }
  torch::Tensor variable(const std::string& name) {
    std::vector<int64_t> shape(number<uint8_t>());
    for (int64_t& size : shape) size = number<uint32_t>();
    const auto type = number<uint8_t>();
    if (type >= std::size(kTypesByCode)) refuse(name + " has the type " + std::to_string(type));
    const auto bytes = take(number<uint32_t>());
    auto tensor = torch::empty(shape, kTypesByCode[type]);
    if (tensor.nbytes() != bytes.size()) {
      refuse(name + " has " + std::to_string(bytes.size()) + " bytes, its shape needs " +
             std::to_string(tensor.nbytes()));
    }
    std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
    return tensor;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> take(size_t size) {
    if (size > rest_.size()) refuse("it ends too soon");
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  fs::path path_;
  MappedFile file_;
  std::span<const std::byte> rest_;
};

}  // namespace

void write_ctranslate2_file(const fs::path& path, const Ctranslate2File& file) {
  Writer writer(path);
  writer.number(kBinaryVersion);
  writer.text(file.spec);
  writer.number(file.revision);
  writer.number(static_cast<uint32_t>(file.variables.size()));
  for (const auto& [name, value] : file.variables) writer.variable(name, value);
  writer.number(static_cast<uint32_t>(file.aliases.size()));
  for (const auto& [alias, name] : file.aliases) {
    writer.text(alias);
    writer.text(name);
  }
  writer.commit();
}

Ctranslate2File read_ctranslate2_file(const fs::path& path) {
  Reader reader(path);
  const auto version = reader.number<uint32_t>();
  if (version != kBinaryVersion) reader.refuse("its version is " + std::to_string(version));
  Ctranslate2File file;
  file.spec = reader.text();
  file.revision = reader.number<uint32_t>();
  for (auto count = reader.number<uint32_t>(); count > 0; --count) {
    const auto name = reader.text();
    file.variables[name] = reader.variable(name);
  }
  for (auto count = reader.number<uint32_t>(); count > 0; --count) {
    const auto alias = reader.text();
    file.aliases[alias] = reader.text();
  }
  if (!reader.at_end()) reader.refuse("bytes follow its end");
  return file;
}

}  // namespace xformer
