// Alignment of pieces to alignment of words.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace xformer {

/// For each piece the word that it belongs to, counted from 0; a piece that begins with
/// SentencePiece's mark of a space begins a word.
std::vector<int32_t> words_of(const std::vector<std::string>& pieces);

/// One link (source word, target word) for every target word, in their order: the source word that
/// most of its pieces attended to, the first one of several.
std::vector<std::pair<int32_t, int32_t>> word_links(const std::vector<int32_t>& source_words,
                                                    const std::vector<int32_t>& target_words,
                                                    const std::vector<int32_t>& attended);

}  // namespace xformer
