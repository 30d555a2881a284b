// What all take of a SentencePiece model, wherever it has its special pieces.
#pragma once

#include <string>
#include <vector>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace xformer {

/// Throws UserError when `bytes` are no SentencePiece model; `name` is what errors call it.
void load_sentencepiece(sentencepiece::SentencePieceProcessor& processor, const std::string& bytes,
                        const std::string& name);

/// What it calls its pieces, in the order of their ids. Throws as load_sentencepiece.
std::vector<std::string> sentencepiece_pieces(const std::string& bytes, const std::string& name);

}  // namespace xformer
