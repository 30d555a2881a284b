// Memory of tensors on a CPU.
#pragma once

namespace xformer {

/// From now on, for the whole process, memory that a tensor leaves is kept for the next one of
/// about its size. Every update makes tensors like those of the one before; the C library would cut
/// and merge blocks for them, and return pages to the system that are wanted again at once.
void keep_tensor_memory();

}  // namespace xformer
