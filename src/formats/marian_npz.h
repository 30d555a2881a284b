// Models as Marian itself saves them: a .npz, with vocabularies and SentencePiece models beside it.
#pragma once

#include <filesystem>

#include "formats/stored_model.h"

namespace xformer {

/// Reads the file, and from its folder decoder.yml if there is one, the vocabulary (that which
/// decoder.yml names, else a *.vocab.yml or vocab.yml, else the *.spm that Marian was given) and
/// source.spm and target.spm. Marian starts a translation from nothing, as from the zero row of a
/// <pad> that is appended here. Throws UserError naming the file and the reason when something is
/// missing, damaged or of a kind that cannot be expressed.
LoadedModel read_marian_npz(const std::filesystem::path& file);

}  // namespace xformer
