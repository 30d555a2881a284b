#include "text/content_hash.h"

#include <string>

#include "catch.h"

using namespace xformer;

// The values that xxhsum -H2 prints.
TEST_CASE("the hash is XXH3 of 128 bits, whatever the portions") {
  CHECK(ContentHash().hex() == "99aa06d3014798d86001c324468d497f");
  ContentHash hash;
  hash.update("a");
  CHECK(hash.hex() == "a96faf705af16834e6c632b61e964e1f");

  const std::string text(100000, 'x');
  ContentHash whole, parts;
  whole.update(text);
  for (size_t at = 0; at < text.size(); at += 777)
    parts.update(std::string_view(text).substr(at, 777));
  CHECK(whole.hex() == parts.hex());
}
