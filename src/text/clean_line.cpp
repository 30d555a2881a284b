#include "text/clean_line.h"

#include <unicode/utf8.h>

#include <cstddef>
#include <cstdint>

namespace xformer {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Without branches, so that the compiler turns it into vector instructions.
bool is_plain_ascii(std::string_view text) {
  uint8_t odd = 0;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    odd |= static_cast<uint8_t>((byte < 0x20) | (byte > 0x7e)) & static_cast<uint8_t>(byte != '\t');
  }
  return odd == 0;
}

bool breaks_line_or_controls(UChar32 c) {
  return (c < 0x20 && c != '\t') || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029;
}

}  // namespace

LineFaults clean_line(std::string_view raw, std::string& line) {
  LineFaults faults;
  if (is_plain_ascii(raw)) {
    line.assign(raw);
    return faults;
  }
  line.clear();
  line.reserve(raw.size());
  size_t good = 0;  // raw[good, i) is to be kept as it is
  for (size_t i = 0; i < raw.size();) {
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
