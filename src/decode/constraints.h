// Pieces that a hypothesis may not go on with.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/search.h"

namespace xformer {

/// What may not follow `ids`: the end before min_length pieces, what would repeat an n-gram, and by
/// Hugging Face's rules what may never be chosen, which decoders leave in the softmax for them. The
/// end never counts as part of an n-gram, so that it is what remains when all else is blocked.
std::vector<int32_t> blocked_pieces(const std::vector<int32_t>& ids, const SearchOptions& options);

}  // namespace xformer
