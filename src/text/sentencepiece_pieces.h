// What a SentencePiece model calls its pieces, wherever it has its special ones.
#pragma once

#include <string>
#include <vector>

namespace xformer {

/// In the order of their ids. Throws UserError when `bytes` are no SentencePiece model; `name` is
/// what errors call it.
std::vector<std::string> sentencepiece_pieces(const std::string& bytes, const std::string& name);

}  // namespace xformer
