// Numbers that are the same in every run.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace xformer {

/// Of a normal distribution with deviation 1.
inline std::vector<float> random_numbers(int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& number : numbers) number = normal(random);
  return numbers;
}

}  // namespace xformer
