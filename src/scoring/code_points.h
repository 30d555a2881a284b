// UTF-8 as characters and back.
#pragma once

#include <unicode/utf8.h>

#include <string>
#include <string_view>

namespace xformer {

/// Calls `each` with every character of valid UTF-8; an invalid byte comes as a negative number.
template <typename Each>
void for_each_character(std::string_view text, Each each) {
  for (size_t i = 0; i < text.size();) {
    UChar32 c;
    U8_NEXT(text.data(), i, text.size(), c);
    each(c);
  }
}

/// Calls `each` with the bytes of every character.
template <typename Each>
void for_each_character_bytes(std::string_view text, Each each) {
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    U8_FWD_1(text.data(), i, text.size());
    each(text.substr(begin, i - begin));
  }
}

/// A negative number is written as U+FFFD.
inline void append_character(std::string& text, UChar32 c) {
  if (c < 0) c = 0xFFFD;
  char bytes[U8_MAX_LENGTH];
  size_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, c);
  text.append(bytes, size);
}

}  // namespace xformer
