#include "decode/translator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/stop_signal.h"

namespace xformer {
namespace {

using Sources = std::vector<std::vector<int32_t>>;

/// Lines with pieces, longest first, in batches whose padded size stays within the budget.
std::vector<std::vector<size_t>> batches_by_length(const Sources& sources, int64_t batch_tokens) {
  std::vector<size_t> order;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].empty()) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t i) { return sources[i].size(); });

  std::vector<std::vector<size_t>> batches;
  size_t longest = 0;
  for (size_t i : order) {
    const bool fits = !batches.empty() &&
                      (batches.back().size() + 1) * longest <= static_cast<size_t>(batch_tokens);
    if (!fits) {
      batches.emplace_back();
      longest = sources[i].size() + 1;  // with its eos
    }
    batches.back().push_back(i);
  }
  return batches;
}

}  // namespace

Translator::Translator(StepDecoder& decoder, Vocabulary vocabulary, TranslatorOptions options)
    : decoder_(decoder), vocabulary_(std::move(vocabulary)), options_(options) {}

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines,
                                               const std::function<void(int64_t)>& on_lines) {
  Sources sources;
  std::vector<Translation> translations(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    auto ids = vocabulary_.source.encode(lines[i]);
    auto& translation = translations[i];
    translation.source_pieces = std::ssize(ids);
    translation.blank = ids.empty();
    translation.source_cut =
        options_.max_source_length > 0 && std::ssize(ids) > options_.max_source_length;
    if (translation.source_cut) ids.resize(options_.max_source_length);
    if (translation.blank) {
      translation.texts.resize(1);
      translation.hypotheses.resize(1);
    }
    sources.push_back(std::move(ids));
  }

  for (const auto& batch : batches_by_length(sources, options_.batch_tokens)) {
    if (stop_requested()) break;
    Sources batch_sources;
    std::vector<int64_t> limits;
    for (size_t i : batch) {
      batch_sources.push_back(std::move(sources[i]));
      limits.push_back(max_length(std::ssize(batch_sources.back())));
    }
    auto results = beam_search(decoder_, batch_sources, limits, options_.search);
    for (size_t b = 0; b < batch.size(); ++b) {
      auto& translation = translations[batch[b]];
      translation.hypotheses = std::move(results[b]);
      for (const auto& hypothesis : translation.hypotheses) {
        translation.texts.push_back(vocabulary_.target.decode(hypothesis.ids));
      }
    }
    if (on_lines) on_lines(std::ssize(batch));
  }
  return translations;
}

int64_t Translator::max_length(int64_t source_pieces) const {
  if (options_.max_length > 0) return options_.max_length;
  const double limit = options_.limits.max_length_factor * static_cast<double>(source_pieces);
  return std::max<int64_t>(1, std::llround(limit) + options_.limits.max_length_extra);
}

}  // namespace xformer
