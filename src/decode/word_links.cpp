#include "decode/word_links.h"

#include <algorithm>
#include <map>

namespace xformer {

std::vector<int32_t> words_of(const std::vector<std::string>& pieces) {
  const std::string space = "\xE2\x96\x81";
  std::vector<int32_t> words;
  int32_t word = -1;
  bool blank = false;  // the word is nothing but spaces so far
  for (const auto& piece : pieces) {
    const bool begins = word < 0 || (piece.starts_with(space) && !blank);
    word += begins;
    blank = piece == space && (begins || blank);
    words.push_back(word);
  }
  if (blank && word > 0) {
    for (int32_t& of_piece : words) of_piece = std::min(of_piece, word - 1);
  }
  return words;
}

std::vector<std::pair<int32_t, int32_t>> word_links(const std::vector<int32_t>& source_words,
                                                    const std::vector<int32_t>& target_words,
                                                    const std::vector<int32_t>& attended) {
  std::vector<std::pair<int32_t, int32_t>> links;
  for (size_t begin = 0, end; begin < target_words.size(); begin = end) {
    std::map<int32_t, int32_t> votes;
    for (end = begin; end < target_words.size() && target_words[end] == target_words[begin];
         ++end) {
      ++votes[source_words[attended[end]]];
    }
    const auto most = std::ranges::max_element(
        votes, [](const auto& a, const auto& b) { return a.second < b.second; });
    links.emplace_back(most->first, target_words[begin]);
  }
  return links;
}

}  // namespace xformer
