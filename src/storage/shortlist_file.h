// A lexical shortlist on disk: a safetensors file that names the vocabularies it was made for.
#pragma once

#include <filesystem>

#include "engine/shortlist.h"
#include "text/tokenizer.h"

namespace xformer {

void write_shortlist(const std::filesystem::path& path, const Shortlist& shortlist,
                     const Vocabulary& vocabulary);

/// Throws UserError when the file is missing, damaged, or of other vocabularies.
Shortlist read_shortlist(const std::filesystem::path& path, const Vocabulary& vocabulary);

}  // namespace xformer
