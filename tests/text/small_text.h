// Sentences from a handful of words: enough text for a small vocabulary.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "text/split_mix.h"
#include "text/vocabulary_trainer.h"

inline std::vector<std::string> small_text(int64_t lines = 300) {
  const std::vector<std::string> words = {
      "ein",   "Mann",   "schläft", "zwei", "Hunde",  "laufen", "über",   "die",
      "große", "Straße", "a",       "man",  "sleeps", "dogs",   "</b>",   "<x>",
      "run",   "the",    "street,", "in",   "front",  "of",     "house.", "1234567890"};
  xformer::SplitMix64 random(1);
  std::vector<std::string> text;
  for (int64_t i = 0; i < lines; ++i) {
    std::string line;
    for (uint64_t left = 3 + random.below(8); left > 0; --left) {
      line += (line.empty() ? "" : " ") + words[random.below(words.size())];
    }
    text.push_back(line);
  }
  return text;
}

/// Hands out the lines of `text` one by one.
inline std::function<bool(std::string&)> from(const std::vector<std::string>& text) {
  return [&text, i = size_t{0}](std::string& line) mutable {
    if (i == text.size()) return false;
    line = text[i++];
    return true;
  };
}

inline xformer::VocabularyConfig small_vocabulary(
    xformer::VocabularyType type = xformer::VocabularyType::kBpe) {
  xformer::VocabularyConfig config;
  config.size = 64;
  config.type = type;
  return config;
}

inline xformer::Tokenizer small_tokenizer(
    const xformer::VocabularyConfig& config = small_vocabulary()) {
  const std::vector<std::string> text = small_text();
  return xformer::train_tokenizer(from(text), "small text", config, 1);
}
