#include "text/piece_map.h"

#include "catch.h"
#include "runtime/error.h"
#include "text/expect_error.h"

using namespace xformer;

TEST_CASE("a piece map knows its pieces both ways") {
  const auto map = PieceMap::from_json(R"({"a": 2, "\u2581b": 0, "": 1})", "vocab.json");
  CHECK(map.size() == 3);
  CHECK(map.find("a") == 2);
  CHECK(map.find("\xE2\x96\x81"
                 "b") == 0);
  CHECK(map.find("") == 1);
  CHECK_FALSE(map.find("b").has_value());
  CHECK(map.piece(2) == "a");
}

TEST_CASE("a map whose ids are not 0, 1, 2, ... is refused by name") {
  const auto refusal = [](const std::string& json) {
    return error_of<UserError>([&] { PieceMap::from_json(json, "vocab.json"); });
  };
  CHECK(refusal(R"({"a": 0, "b": 2})") == "vocab.json: b has the id 2, must have one from 0 to 1");
  CHECK(refusal(R"({"a": 0, "b": -1})") ==
        "vocab.json: b has the id -1, must have one from 0 to 1");
  CHECK(refusal(R"({"a": 0, "b": "1"})") ==
        R"(vocab.json: b has the id "1", must have one from 0 to 1)");
  CHECK(refusal(R"({"a": 0, "b": 0})") == "vocab.json: a and b have the same id, 0");
  CHECK(refusal(R"({"a": 0, "a": 1})") == "vocab.json: a is given twice");
  CHECK(refusal("[1]") == "vocab.json: must be an object of pieces and their ids");
  CHECK(refusal("").starts_with("vocab.json, line 1"));
}
