#include "report/drawing.h"

#include <cstring>

#include "catch.h"
#include "report/base64.h"
#include "report/heat_map.h"

namespace xformer {
namespace {

std::string base64_of(const char* text) {
  return base64(std::as_bytes(std::span(text, std::strlen(text))));
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("no character of a text can end its element or attribute") {
  CHECK(escaped("<a href='x'>R&D \"ß\"</a>") ==
        "&lt;a href=&#39;x&#39;&gt;R&amp;D &quot;ß&quot;&lt;/a&gt;");
}

TEST_CASE("base64 gives the test vectors of RFC 4648") {
  CHECK(base64_of("").empty());
  CHECK(base64_of("f") == "Zg==");
  CHECK(base64_of("fo") == "Zm8=");
  CHECK(base64_of("foo") == "Zm9v");
  CHECK(base64_of("foob") == "Zm9vYg==");
  CHECK(base64_of("fooba") == "Zm9vYmE=");
  CHECK(base64_of("foobar") == "Zm9vYmFy");
  CHECK(base64_of("\xFF\xFB\xEF") == "//vv");
}

TEST_CASE("drawings in rows do not overlap") {
  const Drawing small{100, 50, "s"}, large{200, 80, "l"};
  const auto all = arranged({small, large, small}, 2);
  CHECK(all.width == Approx(324));
  CHECK(all.height == Approx(154));
  CHECK(all.body.find("translate(124 0)") != all.body.npos);
  CHECK(all.body.find("translate(0 104)") != all.body.npos);
}

TEST_CASE("a heat map has a cell for every value that is not 0") {
  HeatMap map{.title = "mask",
              .x_title = "to",
              .y_title = "from",
              .columns = {"a", "<b>"},
              .rows = {"a", "c"},
              .values = {1, 0, 0.25F, -0.5F}};
  auto body = draw(map).body;
  CHECK(count_of(body, "fill-opacity") == 3);
  CHECK(body.find("class=\"above\" fill-opacity=\"0.25\" d=\"M0 1h") != body.npos);
  CHECK(body.find("class=\"below\" fill-opacity=\"0.5\" d=\"M1 1h") != body.npos);

  map.values_in_titles = true;
  body = draw(map).body;
  CHECK(count_of(body, "fill-opacity") == 4);
  CHECK(body.find("<title>c → &lt;b&gt;: -0.500000</title>") != body.npos);
}

}  // namespace xformer
