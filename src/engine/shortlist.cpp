#include "engine/shortlist.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace xformer {
namespace {

void sort_unique(std::vector<int32_t>& ids) {
  std::ranges::sort(ids);
  const auto surplus = std::ranges::unique(ids);
  ids.erase(surplus.begin(), surplus.end());
}

}  // namespace

std::vector<int32_t> Shortlist::pieces_for(const std::vector<int32_t>& source) const {
  auto pieces = frequent;
  pieces.push_back(eos);
  for (const int32_t id : source) {
    pieces.insert(pieces.end(), translations[id].begin(), translations[id].end());
  }
  sort_unique(pieces);
  return pieces;
}

ShortlistedGenerator::ShortlistedGenerator(const Shortlist& shortlist, const PackedLinear& whole,
                                           const std::vector<std::vector<int32_t>>& sources) {
  for (const auto& source : sources) {
    of_sentence.push_back(shortlist.pieces_for(source));
    pieces.insert(pieces.end(), of_sentence.back().begin(), of_sentence.back().end());
  }
  sort_unique(pieces);
  for (auto& outputs : of_sentence) {
    for (int32_t& id : outputs) {
      id = static_cast<int32_t>(std::ranges::lower_bound(pieces, id) - pieces.begin());
    }
  }
  generator = whole.select_outputs(pieces);
}

std::vector<float> ShortlistedGenerator::spread(const std::vector<float>& logits,
                                                const std::vector<int32_t>& sentences,
                                                int64_t all_pieces) const {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  std::vector<float> all(sentences.size() * static_cast<size_t>(all_pieces), kNever);
  for (size_t row = 0; row < sentences.size(); ++row) {
    const float* from = logits.data() + row * pieces.size();
    float* to = all.data() + row * static_cast<size_t>(all_pieces);
    const auto& own = of_sentence[sentences[row]];
    double largest = kNever, sum = 0;
    for (const int32_t output : own) largest = std::max(largest, double{from[output]});
    for (const int32_t output : own) sum += std::exp(from[output] - largest);
    const auto share = static_cast<float>(largest + std::log(sum));
    for (const int32_t output : own) to[pieces[output]] = from[output] - share;
  }
  return all;
}

}  // namespace xformer
