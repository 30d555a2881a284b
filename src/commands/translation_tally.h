// What is said at the end of a translation: how many lines were blank, cut and so on.
#pragma once

#include <cstdint>
#include <string>

#include "decode/translator.h"

namespace xformer {

class TranslationTally {
 public:
  /// Counts a line, and says at once when it was cut.
  void count(const Translation& translation, const std::string& source, int64_t max_source_length);
  void report() const;
  int64_t lines() const { return lines_; }

 private:
  int64_t lines_ = 0, blank_ = 0, cut_ = 0, hit_limit_ = 0, empty_ = 0, copied_ = 0;
};

}  // namespace xformer
