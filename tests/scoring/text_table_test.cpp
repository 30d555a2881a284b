#include "scoring/text_table.h"

#include "catch.h"

using namespace xformer;

TEST_CASE("a table is framed as sacreBLEU's") {
  CHECK(format_table({{{"System"}, {"chrF2"}, {"TER"}},
                      {{"a.en"}, {"78.4"}, {"21.7"}},
                      {{"ü"}, {"7.4", "(p = 0.0010)*"}, {"3"}}}) ==
        "╒══════════╤═══════════════╤═══════╕\n"
        "│   System │     chrF2     │  TER  │\n"
        "╞══════════╪═══════════════╪═══════╡\n"
        "│     a.en │     78.4      │ 21.7  │\n"
        "├──────────┼───────────────┼───────┤\n"
        "│        ü │      7.4      │   3   │\n"
        "│          │ (p = 0.0010)* │       │\n"
        "╘══════════╧═══════════════╧═══════╛\n");
}
