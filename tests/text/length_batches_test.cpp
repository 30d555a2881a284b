#include "text/length_batches.h"

#include <algorithm>
#include <set>
#include <vector>

#include "catch.h"
#include "runtime/error.h"
#include "text/split_mix.h"

using namespace xformer;

namespace {

/// Lengths spread like those of sentences; few of them long.
std::vector<PairLength> some_lengths(int64_t pairs, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<PairLength> lengths;
  for (int64_t i = 0; i < pairs; ++i) {
    const auto base = static_cast<int32_t>(1 + std::min(random.below(60), random.below(60)));
    lengths.push_back({base, base + static_cast<int32_t>(random.below(8))});
  }
  return lengths;
}

std::vector<IndexBatch> unpacked(const IndexBatches& batches) {
  std::vector<IndexBatch> all;
  for (int64_t b = 0; b < batches.size(); ++b)
    all.emplace_back(batches[b].begin(), batches[b].end());
  return all;
}

/// Batches of every pair once.
IndexBatches all_in_batches(const std::vector<PairLength>& lengths, int64_t batch_tokens,
                            uint64_t seed, int64_t epoch) {
  const WeightedPairs all{.first = 0, .size = std::ssize(lengths)};
  return make_length_batches(epoch_pairs({all}, seed, epoch), lengths, batch_tokens, seed, epoch);
}

int64_t cost(const std::vector<PairLength>& lengths, const IndexBatch& batch) {
  int32_t longest = 0;
  for (const PairIndex i : batch)
    longest = std::max({longest, lengths[i].source, lengths[i].target});
  return static_cast<int64_t>(batch.size()) * longest;
}

void check_covers_all(const std::vector<PairLength>& lengths,
                      const std::vector<IndexBatch>& batches) {
  std::vector<int> seen(lengths.size());
  for (const IndexBatch& batch : batches) {
    CHECK_FALSE(batch.empty());
    for (const PairIndex i : batch) ++seen.at(i);
  }
  CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<int64_t>(lengths.size()));
}

std::set<std::set<int64_t>> compositions(const std::vector<IndexBatch>& batches) {
  std::set<std::set<int64_t>> sets;
  for (const IndexBatch& batch : batches) sets.emplace(batch.begin(), batch.end());
  return sets;
}

}  // namespace

// The first numbers of the reference implementation (prng.di.unimi.it/splitmix64.c) from 1234567.
TEST_CASE("SplitMix64 gives the published sequence") {
  SplitMix64 random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  CHECK(random.next() == 9817491932198370423u);
  CHECK(random.next() == 4593380528125082431u);
  CHECK(random.next() == 16408922859458223821u);
}

TEST_CASE("SplitMix64 draws below a bound evenly") {
  SplitMix64 random(1);
  std::vector<int> drawn(7);
  for (int i = 0; i < 70000; ++i) ++drawn.at(random.below(7));
  for (const int count : drawn) CHECK(std::abs(count - 10000) < 400);  // more than four deviations
  CHECK(SplitMix64(5).below(1) == 0);
  const uint64_t half = uint64_t{1} << 63;
  CHECK(SplitMix64(5).below(half) == SplitMix64(5).next() % half);
}

TEST_CASE("every pair is in exactly one batch, and the budget is kept") {
  const int64_t budget = GENERATE(1, 20, 64, 1000, 4096, 1000000);
  const int64_t pairs = GENERATE(1, 2, 500, 3000);
  const auto lengths = some_lengths(pairs, 7);
  for (const auto& batches : {unpacked(all_in_batches(lengths, budget, 1, 3)),
                              unpacked(make_sorted_batches(lengths, budget))}) {
    check_covers_all(lengths, batches);
    for (const IndexBatch& batch : batches) {
      CHECK((cost(lengths, batch) <= budget || batch.size() == 1));
    }
  }
}

TEST_CASE("no pairs give no batch") {
  CHECK(make_length_batches({}, {}, 100, 1, 0).empty());
  CHECK(make_sorted_batches({}, 100).empty());
  CHECK(padding_share({}, {}) == 0);
}

TEST_CASE("a pair longer than the budget is a batch of its own") {
  const std::vector<PairLength> lengths = {{3, 4}, {900, 2}, {4, 4}, {2, 700}, {4, 3}};
  const auto batches = unpacked(make_sorted_batches(lengths, 500));
  CHECK(batches == std::vector<IndexBatch>{{0, 2, 4}, {3}, {1}});
}

TEST_CASE("the budget counts the longer side of the longest pair, exactly") {
  const std::vector<PairLength> lengths(10, PairLength{5, 10});
  CHECK(make_sorted_batches(lengths, 50).size() == 2);
  CHECK(make_sorted_batches(lengths, 49).size() == 3);
  const std::vector<PairLength> long_sources(10, PairLength{10, 5});
  CHECK(make_sorted_batches(long_sources, 50).size() == 2);
}

TEST_CASE("batches depend on seed and epoch alone") {
  const auto lengths = some_lengths(3000, 11);
  const auto batches = unpacked(all_in_batches(lengths, 1000, 1, 0));
  CHECK(unpacked(all_in_batches(lengths, 1000, 1, 0)) == batches);
  for (const auto& other : {unpacked(all_in_batches(lengths, 1000, 1, 1)),
                            unpacked(all_in_batches(lengths, 1000, 2, 0))}) {
    const auto before = compositions(batches), after = compositions(other);
    std::vector<std::set<int64_t>> common;
    std::set_intersection(before.begin(), before.end(), after.begin(), after.end(),
                          std::back_inserter(common));
    CHECK(common.size() < before.size() / 10);
  }
}

// Computed by the same rules in Python. Frozen: with another order a training that is resumed by a
// new version goes on with other batches.
TEST_CASE("the order of batches is the same on every platform") {
  const std::vector<PairLength> lengths = {{1, 1}, {1, 1}, {2, 2}, {2, 2}, {3, 3}, {3, 3}};
  CHECK(unpacked(all_in_batches(lengths, 4, 1, 0)) ==
        std::vector<IndexBatch>{{5}, {3, 2}, {4}, {0, 1}});
  CHECK(unpacked(all_in_batches(lengths, 4, 1, 1)) ==
        std::vector<IndexBatch>{{4}, {2, 3}, {5}, {0, 1}});
}

TEST_CASE("the order of batches is shuffled, not that of lengths") {
  const auto lengths = some_lengths(3000, 11);
  const auto batches = unpacked(all_in_batches(lengths, 500, 1, 0));
  int64_t ascents = 0;
  for (size_t b = 1; b < batches.size(); ++b) {
    ascents += lengths[batches[b - 1][0]].target < lengths[batches[b][0]].target;
  }
  const auto steps = static_cast<double>(batches.size() - 1);
  CHECK(static_cast<double>(ascents) / steps == Approx(0.5).margin(0.1));
}

TEST_CASE("batches of similar lengths hold little padding") {
  const auto lengths = some_lengths(20000, 3);
  CHECK(padding_share(lengths, all_in_batches(lengths, 2000, 1, 0)) < 0.05);
  std::vector<size_t> starts;
  for (size_t i = 0; i <= 20000; i += 80) starts.push_back(i);
  const auto as_they_come = epoch_pairs({{.first = 0, .size = 20000}}, 1, 0);
  CHECK(padding_share(lengths, IndexBatches(as_they_come, starts)) > 0.5);
}

TEST_CASE("the padding share counts target positions") {
  const std::vector<PairLength> lengths = {{9, 1}, {9, 3}, {9, 4}};
  CHECK(padding_share(lengths, IndexBatches({0, 1, 2}, {0, 2, 3})) == Approx(2.0 / 10.0));
  CHECK(padding_share(lengths, IndexBatches({0, 1, 2}, {0, 1, 2, 3})) == 0);
}

TEST_CASE("a weight says how often an epoch sees a pair") {
  const auto times_seen = [](double weight, int64_t epochs) {
    std::vector<int> times(11);
    for (int64_t epoch = 0; epoch < epochs; ++epoch) {
      for (const auto i : epoch_pairs({{.first = 1, .size = 10, .weight = weight}}, 7, epoch)) {
        ++times.at(i);
      }
    }
    CHECK(times[0] == 0);
    return std::vector<int>(times.begin() + 1, times.end());
  };
  CHECK(times_seen(1, 1) == std::vector<int>(10, 1));
  CHECK(times_seen(3, 2) == std::vector<int>(10, 6));
  CHECK(times_seen(0.5, 2) == std::vector<int>(10, 1));
  CHECK(times_seen(0.1, 10) == std::vector<int>(10, 1));
  CHECK(times_seen(2.5, 4) == std::vector<int>(10, 10));
  const auto half = times_seen(0.5, 1);
  CHECK(std::count(half.begin(), half.end(), 1) == 5);
}

TEST_CASE("texts are drawn apart from each other") {
  const std::vector<WeightedPairs> texts = {{0, 100, 1}, {100, 50, 2}, {150, 40, 0.25}};
  const auto pairs = epoch_pairs(texts, 1, 3);
  const auto from = [&](PairIndex first, PairIndex end) {
    return std::ranges::count_if(pairs, [&](PairIndex i) { return first <= i && i < end; });
  };
  CHECK(from(0, 100) == 100);
  CHECK(from(100, 150) == 100);
  CHECK(from(150, 190) == 10);
  CHECK(epoch_pairs(texts, 1, 3) == pairs);
  CHECK(epoch_pairs(texts, 1, 4) != pairs);
}

TEST_CASE("more pairs than an index can name are refused") {
  CHECK_THROWS_AS(epoch_pairs({{.first = 4'000'000'000, .size = 300'000'000}}, 1, 0), UserError);
}
