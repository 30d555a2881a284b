#include "scoring/tokenizer_spm.h"

#include <sentencepiece_processor.h>

#include <utility>
#include <vector>

#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "scoring/python_strings.h"
#include "text/content_hash.h"
#include "text/sentencepiece_pieces.h"

namespace xformer {
namespace {

constexpr size_t kHashDigits = 8;

class SpmTokenizer : public BleuTokenizer {
 public:
  SpmTokenizer(const std::string& name, const std::filesystem::path& model) {
    const std::string bytes = read_file(model);
    load_sentencepiece(processor_, bytes, model.string());
    signature_ = name == "spm" ? "spm-" + hash_of(bytes).substr(0, kHashDigits) : name;
  }

  std::string signature() const override { return signature_; }

  void split(std::string_view line, LineWords& result) const override {
    std::vector<std::string> pieces;
    const auto status = processor_.Encode({line.data(), line.size()}, &pieces);
    if (!status.ok()) throw RunError("SentencePiece: " + std::string(status.message()));
    result.text.clear();
    for (const std::string& piece : pieces) result.text.append(piece).append(1, ' ');
    split_words(result.text, result.words);
  }

 private:
  sentencepiece::SentencePieceProcessor processor_;
  std::string signature_;
};

}  // namespace

std::shared_ptr<const BleuTokenizer> load_spm_tokenizer(const std::string& name,
                                                        const std::filesystem::path& model) {
  return std::make_shared<SpmTokenizer>(name, model);
}

}  // namespace xformer
