// Arbitrary bytes as one line of valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace xformer {

/// What had to be replaced in a line.
struct LineFaults {
  bool invalid_utf8 = false, control_character = false;
};

/// Writes `raw` to `line`: each maximal ill-formed run of bytes (Unicode 3.9, "U+FFFD substitution
/// of maximal subparts") becomes one U+FFFD; control characters other than the tab and Unicode's
/// line ends (U+0085, U+2028, U+2029, VT, FF, CR, LF) become spaces. `raw` must not lie inside
/// `line`.
LineFaults clean_line(std::string_view raw, std::string& line);

}  // namespace xformer
