// The words of one line, and the memory that they point into.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// Filled line after line, so that its memory serves all of them. Not to be copied: the words point
/// into the texts beside them, or into the line that was split.
struct LineWords {
  LineWords() = default;
  LineWords(const LineWords&) = delete;
  LineWords& operator=(const LineWords&) = delete;

  std::vector<std::string_view> words;
  std::string lowercased, text, scratch;
};

}  // namespace xformer
