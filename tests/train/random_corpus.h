// A corpus of random pairs, for tests of training.
#pragma once

#include "model/tiny_model.h"
#include "text/parallel_corpus.h"

namespace xformer {

/// Pairs of 1 to 11 random words on each side.
inline ParallelCorpus random_corpus(int64_t pairs) {
  torch::manual_seed(17);
  PairTable table;
  auto words = [] {
    const auto length = torch::randint(1, 12, {1}, torch::kInt64).item<int64_t>();
    const auto ids = torch::randint(4, kTinyVocabulary, {length}, torch::kInt32);
    const int32_t* first = ids.const_data_ptr<int32_t>();
    return std::vector<int32_t>(first, first + length);
  };
  for (int64_t i = 0; i < pairs; ++i) table.add(words(), words());
  return ParallelCorpus(std::move(table));
}

}  // namespace xformer
