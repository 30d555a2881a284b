#include "train/tensor_memory.h"

#include <c10/core/CPUAllocator.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>

namespace xformer {
namespace {

/// What precedes the numbers of a block; they begin on a cache line of their own.
struct alignas(64) BlockHeader {
  BlockHeader* next;  ///< of the free blocks of its class
  size_t size_class;
};

/// Sizes that share blocks: four between each power of two and the next.
constexpr size_t kSteps = 4, kClasses = 64 * kSteps;

size_t class_of(size_t bytes) {
  const size_t rounded = std::max(bytes, sizeof(BlockHeader)) - 1;
  const auto log = static_cast<size_t>(std::bit_width(rounded) - 1);
  return log * kSteps + (rounded >> (log - std::countr_zero(kSteps))) % kSteps;
}

/// The most bytes of a class.
size_t capacity_of(size_t size_class) {
  const size_t log = size_class / kSteps;
  return (kSteps + size_class % kSteps + 1) << (log - std::countr_zero(kSteps));
}

/// Free blocks by size. Never destroyed: tensors may outlive everything else.
struct FreeBlocks {
  std::mutex mutex;
  std::array<BlockHeader*, kClasses> first{};

  /// A block of the class, or of the next one, or null.
  BlockHeader* take(size_t size_class) {
    const std::lock_guard lock(mutex);
    for (const size_t candidate : {size_class, size_class + 1}) {
      if (BlockHeader* block = first[candidate]) {
        first[candidate] = block->next;
        return block;
      }
    }
    return nullptr;
  }
  void put(BlockHeader* block) {
    const std::lock_guard lock(mutex);
    block->next = first[block->size_class];
    first[block->size_class] = block;
  }
};
constinit FreeBlocks free_blocks;

BlockHeader* new_block(size_t size_class) {
  void* memory = nullptr;
  const size_t bytes = sizeof(BlockHeader) + capacity_of(size_class);
  const int error = posix_memalign(&memory, alignof(BlockHeader), bytes);
  TORCH_CHECK_WITH(OutOfMemoryError, error == 0, "there is no memory for a tensor of ", bytes,
                   " bytes");
  auto* block = static_cast<BlockHeader*>(memory);
  block->size_class = size_class;
  return block;
}

void release(void* numbers) {
  if (numbers != nullptr) free_blocks.put(static_cast<BlockHeader*>(numbers) - 1);
}

class KeptMemory : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    if (bytes == 0) return {nullptr, nullptr, &release, c10::kCPU};
    const size_t size_class = class_of(bytes);
    BlockHeader* block = free_blocks.take(size_class);
    if (block == nullptr) block = new_block(size_class);
    void* numbers = block + 1;
    return {numbers, numbers, &release, c10::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

}  // namespace

void keep_tensor_memory() {
  static KeptMemory memory;
  c10::SetCPUAllocator(&memory, /*priority=*/1);
}

}  // namespace xformer
