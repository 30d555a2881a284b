#include "decode/beam_state.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "decode/constraints.h"
#include "decode/sampler.h"

namespace xformer {

BeamState::BeamState(const std::vector<SearchSource>& sources, const SearchOptions& options)
    : options_(options) {
  const int64_t samples = options.sampling ? options.n_best : 1;
  for (const auto& source : sources) {
    for (int64_t sample = 0; sample < samples; ++sample) {
      live_.push_back({.sentence = sentences_.size(),
                       .parent = std::ssize(sentences_),
                       .ids = {},
                       .log_prob = 0,
                       .sample = static_cast<uint64_t>(sample)});
    }
    sentences_.push_back({.source = &source, .width = options.beam_size});
  }
  if (options_.rules == SearchRules::kCtranslate2) {
    options_.min_length = std::max<int64_t>(options_.min_length, 1);
  }
}

void BeamState::start(StepDecoder& decoder) const {
  std::vector<std::vector<int32_t>> sources;
  for (const auto& sentence : sentences_) sources.push_back(sentence.source->ids);
  decoder.start(sources);
  if (live_.size() == sentences_.size()) return;
  std::vector<int64_t> rows;
  for (const auto& live : live_) rows.push_back(live.parent);
  decoder.select(rows);
}

int32_t BeamState::forced_piece(const Live& live) const {
  const auto& prefix = sentences_[live.sentence].source->prefix;
  return length_ < std::ssize(prefix) ? prefix[length_] : -1;
}

bool BeamState::must_end(const Live& live) const {
  return options_.force_eos && length_ + 1 == sentences_[live.sentence].max_length();
}

Candidates BeamState::expand(StepDecoder& decoder) {
  std::vector<int32_t> last;
  Wanted wanted{.k = keeps_width() ? 2 * options_.beam_size : options_.beam_size,
                .exact = options_.knows_scores()};
  const bool may_block =
      options_.min_length > length_ || options_.no_repeat_ngram > 0 || blocks_never(options_);
  blocked_.clear();
  for (const auto& live : live_) {
    last.push_back(live.ids.empty() ? options_.tokens.decoder_start : live.ids.back());
    wanted.forced.push_back(forced_piece(live));
    if (ends_have_no_share() && wanted.forced.back() < 0)
      wanted.forced.back() = options_.tokens.eos;
    if (!may_block) continue;
    blocked_.push_back(blocked_pieces(live.ids, options_));
    wanted.own_k.push_back(wanted.k + std::ssize(blocked_.back()));
  }
  if (may_block) wanted.k = std::ranges::max(wanted.own_k);
  if (std::ranges::all_of(wanted.forced, [](int32_t id) { return id < 0; })) wanted.forced.clear();
  decoder.advance(last);
  if (options_.alignment) attended_ = decoder.attended();
  if (options_.sampling) return draw(decoder);
  auto candidates = decoder.best(wanted);
  if (ends_have_no_share()) take_share_of_ends(candidates);
  return candidates;
}

bool BeamState::ends_have_no_share() const {
  return options_.rules == SearchRules::kCtranslate2 && options_.min_length > length_ &&
         options_.knows_scores() && !options_.sampling;
}

void BeamState::take_share_of_ends(Candidates& candidates) const {
  for (size_t row = 0; row < live_.size(); ++row) {
    if (forced_piece(live_[row]) >= 0) continue;
    // An end that has all of the probability, but for rounding, leaves the others their order.
    constexpr float kMostOfAll = 1 - 0x1p-24F;
    const float rest = std::log1p(-std::min(std::exp(candidates.forced[row]), kMostOfAll));
    for (size_t c = row * candidates.k; c < (row + 1) * candidates.k; ++c) {
      candidates.log_probs[c] -= rest;
    }
  }
}

Candidates BeamState::draw(StepDecoder& decoder) const {
  const auto log_probs = decoder.log_probs();
  const size_t pieces = log_probs.size() / live_.size();
  Candidates drawn{.k = 1, .ids = {}, .log_probs = {}};
  for (size_t row = 0; row < live_.size(); ++row) {
    const auto& live = live_[row];
    const std::span all(log_probs.data() + row * pieces, pieces);
    const DrawKey key{.sentence = sentences_[live.sentence].source->number,
                      .sample = live.sample,
                      .step = static_cast<uint64_t>(length_)};
    const auto& blocked = blocked_.empty() ? std::vector<int32_t>() : blocked_[row];
    int32_t id = forced_piece(live);
    if (id < 0) id = draw_piece(all, blocked, *options_.sampling, key);
    drawn.ids.push_back(id);
    drawn.log_probs.push_back(id < 0 ? -HUGE_VALF : all[id]);
    drawn.forced.push_back(drawn.log_probs.back());
  }
  return drawn;
}

void BeamState::propose(size_t row, const Candidates& candidates,
                        std::vector<Continuation>& proposals) const {
  const auto& live = live_[row];
  if (const int32_t forced = forced_piece(live); forced >= 0) {
    proposals.push_back({row, forced, live.log_prob + candidates.forced[row]});
    return;
  }
  if (must_end(live)) {
    proposals.push_back({row, options_.tokens.eos, live.log_prob});
    return;
  }
  for (size_t c = row * candidates.k; c < (row + 1) * candidates.k; ++c) {
    if (std::isinf(candidates.log_probs[c])) break;
    const int32_t id = candidates.ids[c];
    if (!blocked_.empty() && std::ranges::binary_search(blocked_[row], id)) continue;
    proposals.push_back({row, id, live.log_prob + candidates.log_probs[c]});
  }
}

BeamState::Live BeamState::continued(const Continuation& continuation) const {
  Live live = live_[continuation.row];
  live.parent = static_cast<int64_t>(continuation.row);
  live.ids.push_back(continuation.id);
  live.log_prob = continuation.log_prob;
  if (options_.alignment) live.attended.push_back(attended_[continuation.row]);
  return live;
}

void BeamState::select_top(const Candidates& candidates) {
  std::vector<Live> next;
  std::vector<Continuation> proposals;
  for_each_sentence([&](size_t begin, size_t end) {
    proposals.clear();
    for (size_t row = begin; row < end; ++row) propose(row, candidates, proposals);
    size_t count = proposals.size();
    if (!options_.sampling) {
      const int64_t width = sentences_[live_[begin].sentence].width;
      count = std::min<size_t>(count, keeps_width() ? 2 * width : width);
      std::ranges::partial_sort(proposals, proposals.begin() + count, [](auto& a, auto& b) {
        // Equal sums keep the order of rows and ids, so that the result depends on nothing else.
        if (a.log_prob != b.log_prob) return a.log_prob > b.log_prob;
        return a.row != b.row ? a.row < b.row : a.id < b.id;
      });
    }
    for (size_t i = 0; i < count; ++i) next.push_back(continued(proposals[i]));
  });
  live_ = std::move(next);
  ++length_;
}

void BeamState::drop_done_sentences(StepDecoder& decoder) {
  std::vector<Live> kept;
  std::vector<int64_t> rows;
  for_each_sentence([&](size_t begin, size_t end) {
    if (settled(sentences_[live_[begin].sentence], live_[begin].log_prob)) return;
    for (size_t row = begin; row < end; ++row) {
      rows.push_back(live_[row].parent);
      kept.push_back(std::move(live_[row]));
    }
  });
  live_ = std::move(kept);
  if (!live_.empty()) decoder.select(rows);
}

}  // namespace xformer
