#include "scoring/chrf_sequences.h"

#include "scoring/code_points.h"
#include "scoring/python_strings.h"

namespace xformer {
namespace {

constexpr int32_t kCodePoints = 0x110000;

/// The ASCII punctuation of Python's string.punctuation.
bool is_punctuation(char c) {
  return (c > ' ' && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') ||
         (c > 'z' && c < 0x7f);
}

bool is_one_character(std::string_view word) {
  size_t end = 0;
  U8_FWD_1(word.data(), end, word.size());
  return end == word.size();
}

}  // namespace

ChrfSequences::ChrfSequences() : number_of_(kCodePoints) {}

void ChrfSequences::number_characters(std::string_view hypothesis, std::string_view reference,
                                      bool whitespace) {
  forget_characters();
  add_characters(hypothesis, whitespace, hypothesis_);
  add_characters(reference, whitespace, reference_);
  items_ = static_cast<int32_t>(seen_.size());
}

void ChrfSequences::forget_characters() {
  for (const int32_t c : seen_) number_of_[c] = 0;
  seen_.clear();
}

void ChrfSequences::add_characters(std::string_view line, bool whitespace,
                                   std::vector<int32_t>& sequence) {
  sequence.clear();
  for (size_t i = 0; i < line.size();) {
    if (!whitespace && !starts_no_whitespace(line[i])) {
      const size_t space = whitespace_at(line, i);
      i += space;
      if (space > 0) continue;
    }
    UChar32 c;
    U8_NEXT_OR_FFFD(line.data(), i, line.size(), c);
    int32_t& number = number_of_[c];
    if (number == 0) {
      seen_.push_back(c);
      number = static_cast<int32_t>(seen_.size());
    }
    sequence.push_back(number);
  }
}

void ChrfSequences::number_words(std::string_view hypothesis, std::string_view reference) {
  // A word has a byte and a space, and may be split in two.
  word_ids_.reset(hypothesis.size() + reference.size() + 2);
  add_words(hypothesis, hypothesis_);
  add_words(reference, reference_);
  items_ = word_ids_.size();
}

void ChrfSequences::add_words(std::string_view line, std::vector<int32_t>& sequence) {
  sequence.clear();
  split_words(line, line_words_);
  const auto add = [&](std::string_view word) { sequence.push_back(word_ids_.add(word)); };
  for (const std::string_view word : line_words_) {
    if (is_one_character(word)) {
      add(word);
    } else if (is_punctuation(word.back())) {
      add(word.substr(0, word.size() - 1));
      add(word.substr(word.size() - 1));
    } else if (is_punctuation(word.front())) {
      add(word.substr(0, 1));
      add(word.substr(1));
    } else {
      add(word);
    }
  }
}

}  // namespace xformer
