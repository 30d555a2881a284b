// The characters and words of a pair of lines, as chrF takes them, by numbers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scoring/dense_ids.h"

namespace xformer {

/// Numbers the items of a hypothesis and a reference 1, 2, 3, ...: equal ones alike.
class ChrfSequences {
 public:
  ChrfSequences();

  void number_characters(std::string_view hypothesis, std::string_view reference, bool whitespace);
  /// Words lie between white space; one punctuation mark (ASCII) at the end of a word, or else at
  /// its beginning, is a word of its own.
  void number_words(std::string_view hypothesis, std::string_view reference);

  const std::vector<int32_t>& hypothesis() const { return hypothesis_; }
  const std::vector<int32_t>& reference() const { return reference_; }
  /// The highest number.
  int32_t items() const { return items_; }

 private:
  void add_characters(std::string_view line, bool whitespace, std::vector<int32_t>& sequence);
  void add_words(std::string_view line, std::vector<int32_t>& sequence);
  void forget_characters();

  std::vector<int32_t> hypothesis_, reference_;
  int32_t items_ = 0;
  std::vector<int32_t> number_of_;  ///< by code point; 0: none yet
  std::vector<int32_t> seen_;       ///< code points that have a number
  std::vector<std::string_view> line_words_;
  DenseIds<std::string_view> word_ids_;
};

}  // namespace xformer
