#include "engine/packed_generator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace xformer {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();
/// Logits are made and looked at in blocks of so many rows and columns, which stay in the cache.
/// The columns are the same for any number of rows, so that a row's sums are too.
constexpr int64_t kRows = 144, kColumns = 256;
/// Of a row of int8 logits so many, the best, have their float32 shares in the softmax, however
/// many candidates are asked for: a row's log-probabilities depend on nothing else.
constexpr int64_t kExactShares = 8;
/// Rows of logits of a whole shortlist.
constexpr int64_t kShortlistRows = 32;

/// The best k of each row's candidates.
Candidates first_of(const Candidates& candidates, int64_t k) {
  Candidates first{.k = k, .ids = {}, .log_probs = {}, .forced = candidates.forced};
  for (int64_t at = 0; at < std::ssize(candidates.ids); at += candidates.k) {
    const auto ids = candidates.ids.begin() + at;
    const auto log_probs = candidates.log_probs.begin() + at;
    first.ids.insert(first.ids.end(), ids, ids + k);
    first.log_probs.insert(first.log_probs.end(), log_probs, log_probs + k);
  }
  return first;
}

}  // namespace

struct PackedGenerator::Scan {
  int64_t k;
  const Wanted& wanted;
  Candidates& found;
};

Candidates PackedGenerator::best(const PackedLinear& generator, const InputRows& x,
                                 const Wanted& wanted) {
  Candidates found = all_candidates(generator, x, wanted);
  finish(wanted, found);
  return found;
}

Candidates PackedGenerator::best(const PackedLinear& generator, const LinearPart& stored,
                                 const InputRows& x, const Wanted& wanted) {
  Wanted wider = wanted;
  wider.k = std::max(2 * wanted.k, wanted.exact ? kExactShares : 0);
  Candidates found = all_candidates(generator, x, wider);
  rescore(stored, x, wanted, found);
  finish(wanted, found);
  return first_of(found, std::min(wanted.k, found.k));
}

/// The best candidates with their logits; summaries_ has what makes log-probabilities of them.
Candidates PackedGenerator::all_candidates(const PackedLinear& generator, const InputRows& x,
                                           const Wanted& wanted) {
  const int64_t k = std::min(wanted.k, generator.outputs());
  Candidates found = begin(x, k, wanted);
  const Scan all{.k = k, .wanted = wanted, .found = found};
  for (int64_t first = 0; first < x.count; first += kRows) scan(generator, x, first, all);
  return found;
}

/// Gives candidates their float32 logits, in the sums too, and sorts them by those. Of twice as
/// many as a row makes use of the best are found.
void PackedGenerator::rescore(const LinearPart& stored, const InputRows& x, const Wanted& wanted,
                              Candidates& found) {
  std::vector<std::pair<float, int32_t>> ranked;
  for (int64_t row = 0; row < x.count; ++row) {
    const auto logit = [&](int32_t id) {
      const float bias = stored.bias != nullptr ? stored.bias[id] : 0.0F;
      return bias + target_.kernels().dot(x.values + row * x.stride, stored.weight + id * x.stride,
                                          x.stride);
    };
    auto& summary = summaries_[row];
    const int64_t own = 2 * (wanted.own_k.empty() ? wanted.k : wanted.own_k[row]);
    const int64_t shares = wanted.exact ? kExactShares : 0;
    ranked.clear();
    for (int64_t i = 0; i < std::min(summary.count, std::max(own, shares)); ++i) {
      const float exact = logit(summary.ids[i]);
      if (i < own) ranked.emplace_back(-exact, summary.ids[i]);
      if (i >= shares) continue;
      summary.sum +=
          std::exp(exact - summary.largest) - std::exp(summary.logits[i] - summary.largest);
    }
    std::ranges::sort(ranked);
    std::fill_n(summary.logits, summary.count, kNever);
    summary.count = std::ssize(ranked);
    for (size_t i = 0; i < ranked.size(); ++i) {
      std::tie(summary.logits[i], summary.ids[i]) = ranked[i];
      summary.logits[i] = -summary.logits[i];
    }
    if (wanted.forced.empty() || wanted.forced[row] < 0) continue;
    if (!std::isinf(found.forced[row])) found.forced[row] = logit(wanted.forced[row]);
  }
}

Candidates PackedGenerator::best(const PackedLinear& generator, const GeneratorScreen& screen,
                                 const InputRows& x) {
  Candidates found{.k = 1, .ids = {}, .log_probs = {}};
  for (const auto& output : screened_.best(screen, generator, x)) {
    found.ids.push_back(output.id);
    found.log_probs.push_back(output.logit);
  }
  return found;
}

/// Takes the logits of a block of rows into their summaries.
void PackedGenerator::scan(const PackedLinear& generator, const InputRows& x, int64_t first,
                           const Scan& scan) {
  const int64_t outputs = generator.outputs(), rows = std::min(kRows, x.count - first);
  const InputRows block = x.part(first, rows);
  float* logits = logits_.reserve(kRows * kColumns);
  for (int64_t column = 0; column < outputs; column += kColumns) {
    const int64_t count = std::min(kColumns, outputs - column);
    generator.apply(block, {column, count}, {.values = logits, .stride = kColumns});
    for (int64_t row = 0; row < rows; ++row) {
      const float* values = logits + row * kColumns;
      target_.kernels().summarize(values, column, count, scan.k, scan.wanted.exact,
                                  summaries_[first + row]);
      if (scan.wanted.forced.empty()) continue;
      const int64_t at = scan.wanted.forced[first + row] - column;
      if (at >= 0 && at < count) scan.found.forced[first + row] = values[at];
    }
  }
}

Candidates PackedGenerator::best(const ShortlistedGenerator& shortlist,
                                 const std::vector<int32_t>& sentences, const InputRows& x,
                                 const Wanted& wanted) {
  const int64_t outputs = shortlist.generator.outputs(), k = wanted.k;
  Candidates found = begin(x, k, wanted);
  float* logits = logits_.reserve(kShortlistRows * outputs);
  float* chosen = row_logits_.reserve(outputs);
  for (int64_t first = 0; first < x.count; first += kShortlistRows) {
    const int64_t rows = std::min(kShortlistRows, x.count - first);
    shortlist.generator.apply(x.part(first, rows), {.values = logits, .stride = outputs});
    for (int64_t row = first; row < first + rows; ++row) {
      const auto& own = shortlist.of_sentence[sentences[row]];
      const auto count = std::ssize(own);
      for (int64_t i = 0; i < count; ++i) chosen[i] = logits[(row - first) * outputs + own[i]];
      for (int64_t part = 0; part < count; part += kColumns) {
        target_.kernels().summarize(chosen + part, part, std::min(kColumns, count - part), k,
                                    wanted.exact, summaries_[row]);
      }
      auto& summary = summaries_[row];
      for (int64_t i = 0; i < summary.count; ++i) {
        summary.ids[i] = shortlist.pieces[own[summary.ids[i]]];
      }
      if (wanted.forced.empty()) continue;
      for (int64_t i = 0; i < count; ++i) {
        if (shortlist.pieces[own[i]] == wanted.forced[row]) found.forced[row] = chosen[i];
      }
    }
  }
  finish(wanted, found);
  return found;
}

std::vector<float> PackedGenerator::log_probs(const PackedLinear& generator, const InputRows& x) {
  const int64_t outputs = generator.outputs();
  std::vector<float> all(static_cast<size_t>(x.count * outputs));
  generator.apply(x, {.values = all.data(), .stride = outputs});
  for (int64_t row = 0; row < x.count; ++row) {
    float* values = all.data() + row * outputs;
    const float total = log_sum_exp(values, outputs);
    for (int64_t i = 0; i < outputs; ++i) values[i] -= total;
  }
  return all;
}

float PackedGenerator::log_sum_exp(const float* logits, int64_t count) const {
  int32_t id = 0;
  float logit = 0;
  LogitSummary summary{.largest = kNever, .sum = 0, .count = 0, .ids = &id, .logits = &logit};
  for (int64_t column = 0; column < count; column += kColumns) {
    target_.kernels().summarize(logits + column, column, std::min(kColumns, count - column), 1,
                                true, summary);
  }
  return summary.largest + std::log(summary.sum);
}

Candidates PackedGenerator::begin(const InputRows& x, int64_t k, const Wanted& wanted) {
  Candidates found{.k = k, .ids = {}, .log_probs = {}};
  found.ids.resize(static_cast<size_t>(x.count * k), -1);
  found.log_probs.resize(found.ids.size(), kNever);
  found.forced.resize(wanted.forced.size(), kNever);
  summaries_.clear();
  for (int64_t row = 0; row < x.count; ++row) {
    summaries_.push_back({.largest = kNever,
                          .sum = 0,
                          .count = 0,
                          .ids = found.ids.data() + row * k,
                          .logits = found.log_probs.data() + row * k});
  }
  return found;
}

/// Logits to log-probabilities.
void PackedGenerator::finish(const Wanted& wanted, Candidates& found) const {
  for (size_t row = 0; row < summaries_.size(); ++row) {
    const auto& summary = summaries_[row];
    const float total = wanted.exact ? summary.largest + std::log(summary.sum) : 0.0F;
    for (int64_t i = 0; i < summary.count; ++i) summary.logits[i] -= total;
    if (!found.forced.empty()) found.forced[row] -= total;
  }
}

}  // namespace xformer
