#include "report/training_report.h"

#include "catch.h"
#include "runtime/atomic_file.h"
#include "temporary_folder.h"
#include "text/captured_log.h"

namespace xformer {
namespace {

using State = TrainingProgress::State;

TrainingFacts facts() {
  TrainingFacts facts{.model = "models/<demo>", .config = {}, .compute = "float32 on cpu"};
  facts.expected_updates = 1000;
  facts.config.training.warmup = 77;
  facts.pairs = {.read = 1200, .kept = 3, .dropped_empty = 1, .dropped_too_long = 1196};
  facts.lengths = {{5, 6}, {7, 6}, {12, 9}};
  return facts;
}

bool holds(const std::string& page, const std::string& text) {
  return page.find(text) != page.npos;
}

}  // namespace

TEST_CASE("a report tells of progress, data and configuration") {
  TemporaryFolder folder;
  folder.file(
      "metrics.jsonl",
      "{\"update\":50,\"epoch\":0,\"loss\":5.5,\"learning_rate\":0.1,\"tokens_per_second\":9}\n");
  TrainingReport report(folder.path(), facts());
  report.update({.updates = 50, .epoch = 0, .left = std::chrono::seconds(200)});
  const auto page = read_file(report.path());
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(holds(page, "update 50 of 1,000"));
  CHECK(holds(page, "3 min 20 s left"));
  CHECK(holds(page, "models/&lt;demo&gt;"));
  CHECK_FALSE(holds(page, "<demo>"));
  CHECK(holds(page,
              "<th scope=\"row\">dropped, longer than 256 pieces</th><td class=\"\">1,196</td>"));
  CHECK(holds(page, "<th scope=\"row\">mean source length</th><td class=\"\">8.0 pieces</td>"));
  CHECK(holds(page, "<th scope=\"row\">warmup</th><td class=\"changed\">77</td>"));
  CHECK(holds(page, "<th scope=\"row\">seed</th><td class=\"\">1</td>"));
}

TEST_CASE(
    "writing versions of a running training takes a small part of its time, the end is written") {
  TemporaryFolder folder;
  folder.file("metrics.jsonl", "");
  TrainingReport report(folder.path(), facts());
  report.update({.updates = 1});
  report.update({.updates = 2});
  CHECK(holds(read_file(report.path()), "update 1 of"));
  report.update({.state = State::kStopped, .updates = 3});
  CHECK(holds(read_file(report.path()), "stopped"));
  report.update(
      {.state = State::kFinished, .updates = 3, .left = {}, .result = "the model is <b>"});
  CHECK(holds(read_file(report.path()), "the model is &lt;b&gt;"));
}

TEST_CASE("a report that cannot be written is a warning") {
  TemporaryFolder folder;
  folder.file("metrics.jsonl", "");
  std::filesystem::create_directory(folder.path() / "report.html");
  CapturedLog log;
  TrainingReport(folder.path(), facts()).update({.updates = 1});
  CHECK(holds(log.text(), "report.html"));
}

}  // namespace xformer
