// Work shared out among threads.
#pragma once

#include <cstddef>
#include <functional>

namespace xformer {

/// Works on items [begin, end).
using BlockWorker = std::function<void(size_t begin, size_t end)>;

/// Shares out `items` in blocks of `block` among `threads` threads; each calls `make_worker` once
/// and then what it made for block after block. The first exception stops all and is thrown again.
/// A stop signal (runtime/stop_signal.h) ends the work early.
void for_each_block(size_t items, size_t block, size_t threads,
                    const std::function<BlockWorker()>& make_worker);

}  // namespace xformer
