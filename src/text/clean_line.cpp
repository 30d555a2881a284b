#include "text/clean_line.h"

#include <unicode/utf8.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xformer {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_plain_ascii(char c) {
  return c >= 0x20 && c < 0x7f;
}

/// Length of the run of printable ASCII at the start, tested eight bytes at a time: a byte of 0x80
/// or more has its top bit, one below 0x20 gets it by the subtraction, 0x7f by the addition.
size_t plain_ascii_prefix(std::string_view text) {
  constexpr uint64_t kTopBits = 0x8080808080808080, kSpaces = 0x2020202020202020,
                     kOnes = 0x0101010101010101;
  size_t size = 0;
  for (uint64_t word; size + sizeof word <= text.size(); size += sizeof word) {
    std::memcpy(&word, text.data() + size, sizeof word);
    if (((word | (word - kSpaces) | (word + kOnes)) & kTopBits) != 0) break;
  }
  while (size < text.size() && is_plain_ascii(text[size])) ++size;
  return size;
}

bool breaks_line_or_controls(UChar32 c) {
  return (c < 0x20 && c != '\t') || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029;
}

}  // namespace

LineFaults clean_line(std::string_view raw, std::string& line) {
  LineFaults faults;
  line.clear();
  size_t good = 0;  // raw[good, i) is to be kept as it is
  for (size_t i = plain_ascii_prefix(raw); i < raw.size(); i += plain_ascii_prefix(raw.substr(i))) {
    const size_t begin = i;
    UChar32 c;
    U8_NEXT(raw.data(), i, raw.size(), c);
    const bool invalid = c < 0;
    if (!invalid && !breaks_line_or_controls(c)) continue;
    line.append(raw.substr(good, begin - good));
    line.append(invalid ? kReplacement : " ");
    (invalid ? faults.invalid_utf8 : faults.control_character) = true;
    good = i;
  }
  line.append(raw.substr(good));
  return faults;
}

}  // namespace xformer
