#include "report/metrics.h"

#include <cmath>

#include "catch.h"
#include "runtime/error.h"
#include "temporary_folder.h"
#include "text/expect_error.h"

namespace xformer {
namespace {

constexpr const char* kLines =
    R"({"update":50,"epoch":0,"loss":5.5,"learning_rate":0.0005,"target_tokens":68766,"tokens_per_second":7780.9}
{"update":125,"epoch":1,"validation_loss":3.9,"perplexity":49.4,"bleu":0.2,"best_bleu":0.2,"samples":[{"source":"<s>","reference":"a","translation":"b"}]}
{"update":150,"epoch":1,"loss":null,"learning_rate":0.001,"tokens_per_second":8000}
)";

}  // namespace

TEST_CASE("updates and validations are told apart") {
  TemporaryFolder folder;
  const auto run = read_metrics(folder.file("metrics.jsonl", kLines), "demo");
  CHECK(run.name == "demo");
  REQUIRE(run.updates.size() == 2);
  CHECK(run.updates[0].update == 50);
  CHECK(run.updates[0].loss == 5.5);
  CHECK(run.updates[0].tokens_per_second == 7780.9);
  CHECK(std::isnan(run.updates[1].loss));
  REQUIRE(run.validations.size() == 1);
  CHECK(run.validations[0].perplexity == 49.4);
  REQUIRE(run.validations[0].samples.size() == 1);
  CHECK(run.validations[0].samples[0].source == "<s>");
}

TEST_CASE("a line that is still being written is left out") {
  TemporaryFolder folder;
  const auto file = folder.file("metrics.jsonl", std::string(kLines) + "{\"update\":200,\"lo");
  CHECK(read_metrics(file, "demo").updates.size() == 2);
}

TEST_CASE("what is not a training's metrics is refused with its place") {
  TemporaryFolder folder;
  for (const char* line : {"not json", "[1]", "{\"loss\":1}", "{\"update\":\"x\",\"loss\":1}"}) {
    const auto file = folder.file("metrics.jsonl", std::string(kLines) + line + "\n");
    const auto text = error_of<UserError>([&] { read_metrics(file, "demo"); });
    CHECK(text.find("metrics.jsonl, line 4") != text.npos);
  }
  error_of<UserError>([&] { read_metrics(folder.path() / "none", "demo"); });
}

}  // namespace xformer
