#include "formats/safetensors.h"

#include <signal.h>
#include <sys/resource.h>

#include "catch.h"
#include "runtime/atomic_file.h"
#include "runtime/child_process.h"
#include "runtime/error.h"
#include "temporary_folder.h"

using namespace xformer;
namespace fs = std::filesystem;

namespace {

const fs::path kReference = fs::path(XFORMER_SOURCE_DIR) / "tests/formats/reference.safetensors";

/// The tensors that make_reference.py gives to the reference package.
TensorFile reference_tensors() {
  const auto numbers = torch::arange(6).reshape({2, 3});
  TensorFile file;
  file.metadata = {{"format", "pt"}};
  file.tensors = {{"type.float64", numbers.to(torch::kFloat64)},
                  {"type.float32", numbers.to(torch::kFloat32)},
                  {"type.float16", numbers.to(torch::kFloat16)},
                  {"type.bfloat16", numbers.to(torch::kBFloat16)},
                  {"type.int64", numbers},
                  {"type.int32", numbers.to(torch::kInt32)},
                  {"type.int16", numbers.to(torch::kInt16)},
                  {"type.int8", numbers.to(torch::kInt8)},
                  {"type.uint8", numbers.to(torch::kUInt8)},
                  {"type.bool", numbers.to(torch::kBool)},
                  {"number", torch::tensor(2.5f)},
                  {"nothing", torch::zeros({0, 3})},
                  {"Größe \"1\"\n", torch::tensor({-1.0f, 0.5f})}};
  return file;
}

bool same(const TensorFile& a, const TensorFile& b) {
  if (a.metadata != b.metadata || a.tensors.size() != b.tensors.size()) return false;
  return std::all_of(a.tensors.begin(), a.tensors.end(), [&](const auto& named) {
    const auto other = b.tensors.find(named.first);
    return other != b.tensors.end() && other->second.dtype() == named.second.dtype() &&
           other->second.equal(named.second);
  });
}

/// A file of that header and that many bytes of data.
std::string file_of(const std::string& header, size_t data_bytes) {
  std::string prefix(8, '\0');
  for (size_t i = 0; i < 8; ++i) prefix[i] = static_cast<char>(header.size() >> 8 * i & 0xFF);
  return prefix + header + std::string(data_bytes, '\1');
}

/// What read_safetensors says about a file of these bytes, without its name; nothing when it takes
/// it.
std::string fault_of(const std::string& bytes) {
  TemporaryFolder folder;
  const fs::path path = folder.file("file", bytes);
  try {
    read_safetensors(path);
  } catch (const UserError& error) {
    const std::string text = error.what();
    REQUIRE(text.starts_with(path.string()));
    REQUIRE(text.find('\n') == std::string::npos);
    return text.substr(path.string().size());
  }
  return "";
}

std::string fault_of_tensor(const std::string& description, size_t data_bytes) {
  const std::string fault = fault_of(file_of("{\"w\":" + description + "}", data_bytes));
  const std::string prefix = ": is damaged or no safetensors file: tensor w ";
  CAPTURE(fault);
  REQUIRE(fault.starts_with(prefix));
  return fault.substr(prefix.size());
}

}  // namespace

TEST_CASE("a file of the reference package is read") {
  CHECK(same(read_safetensors(kReference), reference_tensors()));
}

TEST_CASE("the same tensors are written byte for byte as the reference package does") {
  TemporaryFolder folder;
  write_safetensors(folder.path() / "file", reference_tensors());
  CHECK(read_file(folder.path() / "file") == read_file(kReference));
}

TEST_CASE("what is written is read back, whatever the layout in memory") {
  TemporaryFolder folder;
  const auto matrix = torch::arange(12, torch::kFloat32).reshape({3, 4});
  TensorFile file;
  file.tensors = {{"transposed", matrix.t()},
                  {"slice", matrix.slice(1, 1, 3)},
                  {"expanded", torch::tensor({1.0f}).expand({5})},
                  {"parameter", matrix.clone().set_requires_grad(true)},
                  {"not finite", torch::tensor({NAN, INFINITY})}};
  file.metadata = {{"a", "\"1\"\n"}, {"b", ""}};
  write_safetensors(folder.path() / "file", file);
  TensorFile read = read_safetensors(folder.path() / "file");
  CHECK(read.tensors["not finite"].isnan().any().item<bool>());
  CHECK_FALSE(read.tensors["parameter"].requires_grad());
  file.tensors.erase("not finite");
  read.tensors.erase("not finite");
  CHECK(same(read, file));
}

TEST_CASE("a file without tensors is fine") {
  TemporaryFolder folder;
  write_safetensors(folder.path() / "file", {});
  CHECK(read_safetensors(folder.path() / "file").tensors.empty());
  CHECK(read_safetensors(folder.file("bare", file_of("{}", 0))).tensors.empty());
}

TEST_CASE("tensors own their memory") {
  TemporaryFolder folder;
  write_safetensors(folder.path() / "file", reference_tensors());
  auto tensor = read_safetensors(folder.path() / "file").tensors.at("type.float32");
  folder.file("file", "gone");
  tensor.add_(1);
  CHECK(tensor.sum().item<float>() == 21.0f);
}

TEST_CASE("data that is not aligned is read too") {
  TemporaryFolder folder;
  const std::string header = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[1,9]},)"
                             R"("b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  const auto file = read_safetensors(folder.file("file", file_of(header + " ", 9)));
  int bits = 0x01010101;
  float expected;
  std::memcpy(&expected, &bits, sizeof expected);
  CHECK(file.tensors.at("w").equal(torch::full({2}, expected)));
  CHECK(reinterpret_cast<uintptr_t>(file.tensors.at("w").data_ptr()) % sizeof(float) == 0);
}

TEST_CASE("files that are missing, empty, too short or something else are refused") {
  TemporaryFolder folder;
  CHECK_THROWS_WITH(
      read_safetensors(folder.path() / "none"),
      (folder.path() / "none").string() + ": cannot be read: No such file or directory");
  CHECK_THROWS_AS(read_safetensors(folder.path()), UserError);
  const std::string damaged = ": is damaged or no safetensors file: ";
  CHECK(fault_of("") == damaged + "it has 0 bytes, fewer than the shortest header");
  CHECK(fault_of("1234567") == damaged + "it has 7 bytes, fewer than the shortest header");
  CHECK(
      fault_of(std::string(8, '\0')).starts_with(": the header, line 1, column 1: not valid JSON"));
  CHECK(fault_of("PK\3\4 a pickled checkpoint").starts_with(damaged + "its header claims "));
  CHECK(fault_of(file_of("{}", 0).substr(0, 9)) ==
        damaged + "its header claims 2 bytes, the file has 9");
  CHECK(fault_of(file_of("[]", 0)) == damaged + "its header is no JSON object");
  CHECK(fault_of(file_of("{} x", 0)).find("not valid JSON") != std::string::npos);
  CHECK(fault_of(file_of("{/* */}", 0)).find("not valid JSON") != std::string::npos);
  CHECK(fault_of(file_of(std::string(100'000, '['), 0)).find("levels deep") != std::string::npos);
}

TEST_CASE("a header with names given twice or odd metadata is refused") {
  const std::string tensor = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  CHECK(fault_of(file_of("{\"w\":" + tensor + ",\"w\":" + tensor + "}", 0)) ==
        ": the header: w is given twice");
  CHECK(fault_of(file_of(R"({"__metadata__":3})", 0)).ends_with("its metadata is no JSON object"));
  CHECK(fault_of(file_of(R"({"__metadata__":{"a":3}})", 0)).ends_with("its metadata a is no text"));
}

TEST_CASE("a tensor whose description is wrong is refused by name") {
  const auto [description, fault] = GENERATE(table<std::string, std::string>({
      {R"(3)", "has no dtype"},
      {R"({"dtype":"F32","shape":[2]})", "has no data_offsets"},
      {R"({"dtype":"F31","shape":[2],"data_offsets":[0,8]})",
       R"(has dtype "F31", which is not supported)"},
      {R"({"dtype":5,"shape":[2],"data_offsets":[0,8]})", "has dtype 5, which is not supported"},
      {R"({"dtype":"F32","shape":2,"data_offsets":[0,8]})", "has a shape that is no list"},
      {R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})", "has -2 in its shape"},
      {R"({"dtype":"F32","shape":[2.0],"data_offsets":[0,8]})", "has 2.0 in its shape"},
      {R"({"dtype":"F32","shape":["2"],"data_offsets":[0,8]})", R"(has "2" in its shape)"},
      {R"({"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8]})",
       "has 9223372036854775808 in its shape"},
      // 2^32 x 2^32 x 4 wraps around to 0 bytes.
      {R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})",
       "has a shape too large for any memory"},
      {R"({"dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0]})",
       "has a shape too large for any memory"},
      // 2^62 x 4 wraps around to 0 bytes.
      {R"({"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]})",
       "has 0 bytes, its shape needs 4611686018427387904 times 4"},
      {R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})",
       "has 8 bytes, its shape needs 3 times 4"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[0,9]})",
       "has 9 bytes, its shape needs 2 times 4"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})",
       "has data_offsets that are not a begin and an end"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[0]})",
       "has data_offsets that are not a begin and an end"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[-8,0]})", "has -8 in its data_offsets"},
      {R"({"dtype":"F32","shape":[2],"data_offsets":[4,12]})",
       "begins at byte 4 of the data, the one before ends at 0"},
  }));
  CHECK(fault_of_tensor(description, 8) == fault);
}

TEST_CASE("tensors must cover the data without overlaps, holes or a rest") {
  const auto two = [](const std::string& first, const std::string& second, size_t bytes) {
    return fault_of(file_of(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + first +
                                R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + second +
                                "}}",
                            bytes));
  };
  CHECK(two("[0,4]", "[4,8]", 8).empty());
  CHECK(two("[4,8]", "[0,4]", 8).empty());
  CHECK(two("[0,4]", "[2,6]", 6)
            .ends_with("tensor b begins at byte 2 of the data, the one before "
                       "ends at 4"));
  CHECK(
      two("[0,4]", "[0,4]", 4).ends_with("begins at byte 0 of the data, the one before ends at 4"));
  CHECK(two("[0,4]", "[5,9]", 9)
            .ends_with("tensor b begins at byte 5 of the data, the one before "
                       "ends at 4"));
  CHECK(two("[0,4]", "[4,8]", 9).ends_with("its tensors need 8 bytes of data, the file has 9"));
  CHECK(two("[0,4]", "[4,8]", 7).ends_with("its tensors need 8 bytes of data, the file has 7"));
}

TEST_CASE("a bool that is neither true nor false is refused") {
  std::string bytes = file_of(R"({"w":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", 2);
  CHECK(fault_of(bytes).empty());
  bytes.back() = '\2';
  CHECK(fault_of(bytes) == ": is damaged: tensor w holds something other than true and false");
}

TEST_CASE("no damage to a file does more than have it refused") {
  TemporaryFolder folder;
  TensorFile small;
  small.tensors = {{"weight", torch::ones({2, 2})},
                   {"mask", torch::ones({3}, torch::kBool)},
                   {"empty", torch::zeros({0, 2})}};
  small.metadata = {{"format", "pt"}};
  write_safetensors(folder.path() / "small", small);
  const std::string whole = read_file(folder.path() / "small");

  const auto touch_all = [&](const std::string& bytes) {
    try {
      const TensorFile file = read_safetensors(folder.file("damaged", bytes));
      for (const auto& [name, tensor] : file.tensors) tensor.to(torch::kFloat64).sum();
      return true;
    } catch (const UserError&) {
      return false;
    }
  };
  REQUIRE(touch_all(whole));
  for (size_t at = 0; at < whole.size(); ++at) {
    CHECK_FALSE(touch_all(whole.substr(0, at)));
    std::string damaged = whole;
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      damaged[at] = static_cast<char>(whole[at] ^ change);
      touch_all(damaged);
    }
    damaged[at] = '9';
    touch_all(damaged);
  }
  CHECK_FALSE(touch_all(whole + '\0'));
}

TEST_CASE("a full disk fails with the file's name and keeps the old file") {
  TemporaryFolder folder;
  write_safetensors(folder.path() / "model", reference_tensors());
  const int status = status_of_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    TensorFile large;
    large.tensors["w"] = torch::zeros({5000});
    try {
      write_safetensors(folder.path() / "model", large);
    } catch (const RunError& error) {
      return error.what() ==
                     (folder.path() / "model").string() + ": cannot be written: File too large"
                 ? 0
                 : 1;
    }
    return 2;
  });
  CHECK(status == 0);
  CHECK(same(read_safetensors(folder.path() / "model"), reference_tensors()));
}
