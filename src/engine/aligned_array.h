// Memory for vectors: aligned to a cache line, and not filled when it is made.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace xformer {

template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(int64_t size) { reserve(size); }

  /// Room for `size` elements; what was there before is lost when it has to grow.
  T* reserve(int64_t size) {
    if (size > size_) {
      constexpr size_t kLine = 64;
      const size_t bytes = (static_cast<size_t>(size) * sizeof(T) + kLine - 1) / kLine * kLine;
      data_.reset();
      data_.reset(static_cast<T*>(std::aligned_alloc(kLine, bytes)));
      if (!data_) throw std::bad_alloc();
      size_ = size;
    }
    return data_.get();
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> data_;
  int64_t size_ = 0;
};

}  // namespace xformer
