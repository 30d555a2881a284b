// Pieces that a hypothesis may not go on with.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/search.h"

namespace xformer {

/// Whether a search itself has to pass over what may never be chosen: by Hugging Face's rules
/// decoders leave that in the softmax, where scores are wanted.
bool blocks_never(const SearchOptions& options);

/// What may not follow `ids`: the end before min_length pieces, what would repeat an n-gram, and
/// with blocks_never what may never be chosen. The end never counts as part of an n-gram, so that
/// it is what remains when all else is blocked.
std::vector<int32_t> blocked_pieces(const std::vector<int32_t>& ids, const SearchOptions& options);

}  // namespace xformer
