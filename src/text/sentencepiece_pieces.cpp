#include "text/sentencepiece_pieces.h"

#include <sentencepiece_processor.h>

#include "runtime/error.h"

namespace xformer {

void load_sentencepiece(sentencepiece::SentencePieceProcessor& processor, const std::string& bytes,
                        const std::string& name) {
  const absl::string_view serialized(bytes.data(), bytes.size());
  if (bytes.empty() || !processor.LoadFromSerializedProto(serialized).ok()) {
    throw UserError(name + " is not a SentencePiece model");
  }
}

std::vector<std::string> sentencepiece_pieces(const std::string& bytes, const std::string& name) {
  sentencepiece::SentencePieceProcessor processor;
  load_sentencepiece(processor, bytes, name);
  std::vector<std::string> pieces;
  for (int id = 0; id < processor.GetPieceSize(); ++id) pieces.push_back(processor.IdToPiece(id));
  return pieces;
}

}  // namespace xformer
