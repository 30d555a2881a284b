// A small model with random weights, for tests of properties.
#pragma once

#include "libtorch.h"
#include "model/encoder_decoder.h"

namespace xformer {

inline constexpr int64_t kTinyVocabulary = 29;

inline ModelConfig tiny_config(NormPlacement norm = NormPlacement::kPre) {
  ModelConfig config{.N = 2, .d_model = 16, .d_ff = 32, .h = 4, .dropout = 0.1};
  config.norm = norm;
  return config;
}

inline EncoderDecoder tiny_model(const ModelConfig& config = tiny_config(), uint64_t seed = 7) {
  auto model = make_model(config, {kTinyVocabulary, kTinyVocabulary}, seed);
  model->eval();
  return model;
}

/// Random ids of words, none of them special. (rows, length) int64
inline torch::Tensor random_words(int64_t rows, int64_t length, uint64_t seed) {
  torch::manual_seed(seed);
  return torch::randint(4, kTinyVocabulary, {rows, length}, torch::kInt64);
}

}  // namespace xformer
