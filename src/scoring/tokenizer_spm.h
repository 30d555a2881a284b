// The pieces of a SentencePiece model as the words of BLEU ("spBLEU"), as in sacreBLEU 2.6.0.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "scoring/bleu_tokenizer.h"

namespace xformer {

/// `name` is the one that the model was published under; the signature repeats it. The name "spm"
/// makes no such claim: the signature then holds a hash of the file. Throws UserError when the file
/// is no SentencePiece model.
std::shared_ptr<const BleuTokenizer> load_spm_tokenizer(const std::string& name,
                                                        const std::filesystem::path& model);

}  // namespace xformer
