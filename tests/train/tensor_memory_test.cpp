#include "train/tensor_memory.h"

#include <thread>

#include "catch.h"
#include "libtorch.h"

namespace xformer {

TEST_CASE("a tensor takes the memory that one of about its size has left") {
  keep_tensor_memory();
  const void* first = torch::zeros({1000, 1000}).const_data_ptr();
  CHECK(torch::zeros({1000, 990}).const_data_ptr() == first);
  const auto holder = torch::zeros({1000, 1000});
  CHECK(holder.const_data_ptr() == first);
  CHECK(torch::zeros({1000, 1000}).const_data_ptr() != first);
  CHECK(reinterpret_cast<uintptr_t>(first) % 64 == 0);
}

TEST_CASE("kept memory holds tensors of any size apart") {
  keep_tensor_memory();
  std::vector<torch::Tensor> tensors{torch::empty({0})};
  for (int64_t size = 1; size < 3000; size += 7) {
    tensors.push_back(torch::full({size}, size % 256, torch::kUInt8));
  }
  for (size_t i = 1; i < tensors.size(); ++i) {
    const auto size = tensors[i].numel();
    CHECK((tensors[i] == size % 256).all().item<bool>());
  }
}

TEST_CASE("threads leave memory to each other") {
  keep_tensor_memory();
  auto work = [](int64_t number) {
    for (int64_t i = 0; i < 300; ++i) {
      const auto mine = torch::full({1 + (i * 37) % 5000}, number);
      if (!mine.eq(number).all().item<bool>()) throw std::runtime_error("memory was shared");
    }
  };
  std::exception_ptr failure;  // Catch2 counts in one thread only
  std::thread other([&] {
    try {
      work(2);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  CHECK_NOTHROW(work(1));
  other.join();
  CHECK(failure == nullptr);
}

}  // namespace xformer
