#include "decode/sampler.h"

#include <algorithm>
#include <cmath>

#include "kernels/philox.h"

namespace xformer {
namespace {

struct Choice {
  int32_t id;
  double weight;
};

/// The heaviest first; of equal ones the lower id.
bool lighter(const Choice& a, const Choice& b) {
  return a.weight != b.weight ? a.weight < b.weight : a.id > b.id;
}

/// With weights relative to that of the likeliest piece that is not blocked. `blocked` is sorted.
std::vector<Choice> possible_choices(std::span<const float> log_probs,
                                     const std::vector<int32_t>& blocked, double temperature) {
  std::vector<Choice> choices;
  choices.reserve(log_probs.size());
  double largest = -HUGE_VAL;
  for (size_t id = 0; id < log_probs.size(); ++id) {
    if (std::ranges::binary_search(blocked, static_cast<int32_t>(id))) continue;
    choices.push_back({static_cast<int32_t>(id), log_probs[id]});
    largest = std::max(largest, choices.back().weight);
  }
  for (auto& choice : choices) choice.weight = std::exp((choice.weight - largest) / temperature);
  std::erase_if(choices, [](const Choice& choice) { return !(choice.weight > 0); });
  return choices;
}

double total(const std::vector<Choice>& choices) {
  double sum = 0;
  for (const auto& choice : choices) sum += choice.weight;
  return sum;
}

/// Leaves the best choices alone: at most `most`, and no more than have `share` of the weight.
void keep_best(std::vector<Choice>& choices, size_t most, double share) {
  const double enough = share * total(choices);
  std::ranges::make_heap(choices, lighter);
  auto heap_end = choices.end();
  double kept = 0;
  for (size_t count = 0; heap_end != choices.begin() && count < most && kept < enough; ++count) {
    std::pop_heap(choices.begin(), heap_end, lighter);
    kept += (--heap_end)->weight;
  }
  choices.erase(choices.begin(), heap_end);
}

uint64_t mixed(uint64_t a, uint64_t b) {
  uint32_t random[4][1];
  philox(a, b, random);
  return static_cast<uint64_t>(random[0][0]) << 32 | random[1][0];
}

}  // namespace

double uniform_draw(uint64_t seed, const DrawKey& key) {
  const uint64_t bits = mixed(mixed(mixed(seed, key.sentence), key.sample), key.step);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

int32_t draw_piece(std::span<const float> log_probs, const std::vector<int32_t>& blocked,
                   const SamplingOptions& options, const DrawKey& key) {
  auto choices = possible_choices(log_probs, blocked, options.temperature);
  if (options.top_k > 0 || options.top_p < 1) {
    const auto most = options.top_k > 0 ? static_cast<size_t>(options.top_k) : choices.size();
    keep_best(choices, most, options.top_p);
  }
  double left = uniform_draw(options.seed, key) * total(choices);
  for (const auto& choice : choices) {
    left -= choice.weight;
    if (left < 0) return choice.id;
  }
  return choices.empty() ? -1 : choices.back().id;
}

}  // namespace xformer
