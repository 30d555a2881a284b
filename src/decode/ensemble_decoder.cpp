#include "decode/ensemble_decoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xformer {

EnsembleDecoder::EnsembleDecoder(std::vector<std::unique_ptr<StepDecoder>> members)
    : members_(std::move(members)) {}

void EnsembleDecoder::start(const std::vector<std::vector<int32_t>>& sources) {
  for (auto& member : members_) member->start(sources);
}

void EnsembleDecoder::advance(const std::vector<int32_t>& tokens) {
  for (auto& member : members_) member->advance(tokens);
  rows_ = tokens.size();
}

void EnsembleDecoder::select(const std::vector<int64_t>& rows) {
  for (auto& member : members_) member->select(rows);
}

std::vector<float> EnsembleDecoder::log_probs() {
  auto first = members_.front()->log_probs();
  std::vector<double> sums(first.size());
  for (size_t i = 0; i < first.size(); ++i) sums[i] = std::exp(static_cast<double>(first[i]));
  for (size_t m = 1; m < members_.size(); ++m) {
    const auto more = members_[m]->log_probs();
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += std::exp(static_cast<double>(more[i]));
  }
  const auto count = static_cast<double>(members_.size());
  for (size_t i = 0; i < sums.size(); ++i) first[i] = static_cast<float>(std::log(sums[i] / count));
  return first;
}

Candidates EnsembleDecoder::best(const Wanted& wanted) {
  const auto all = log_probs();
  const size_t pieces = all.size() / rows_;
  const auto k = std::min(static_cast<size_t>(wanted.k), pieces);
  Candidates found{.k = static_cast<int64_t>(k), .ids = {}, .log_probs = {}};
  std::vector<int32_t> order(pieces);
  for (size_t row = 0; row < rows_; ++row) {
    const float* values = all.data() + row * pieces;
    std::iota(order.begin(), order.end(), 0);
    std::ranges::partial_sort(order, order.begin() + k, [&](int32_t a, int32_t b) {
      return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    for (size_t i = 0; i < k; ++i) {
      found.ids.push_back(order[i]);
      found.log_probs.push_back(values[order[i]]);
    }
    if (wanted.forced.empty()) continue;
    found.forced.push_back(wanted.forced[row] < 0 ? -HUGE_VALF : values[wanted.forced[row]]);
  }
  return found;
}

}  // namespace xformer
