#include "report/training_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "config/config_fields.h"
#include "report/assets.h"
#include "report/axis.h"
#include "report/line_chart.h"
#include "report/page.h"
#include "report/training_page.h"
#include "runtime/atomic_file.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/progress.h"

namespace xformer {
namespace {

using State = TrainingProgress::State;

std::string grouped_count(int64_t count) {
  return grouped(static_cast<double>(count));
}

std::string row(std::string_view name, std::string_view value, std::string_view style = "") {
  return fmt::format("<tr><th scope=\"row\">{}</th><td class=\"{}\">{}</td></tr>\n", escaped(name),
                     style, escaped(value));
}

std::string tile(std::string_view value, std::string_view name) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", escaped(value),
                     escaped(name));
}

/// How many pairs have each length, in stairs that end at the longest.
Series length_series(const std::vector<PairLength>& lengths, int32_t PairLength::* side,
                     std::string name, size_t colour) {
  Series series{
      .name = std::move(name), .x = {}, .y = {}, .curve = Curve::kStairs, .colour = colour};
  int32_t longest = 0;
  for (const auto& length : lengths) longest = std::max(longest, length.*side);
  std::vector<double> counts(static_cast<size_t>(longest) + 2);
  for (const auto& length : lengths) ++counts[length.*side];
  for (size_t i = 0; i < counts.size(); ++i) {
    series.x.push_back(static_cast<double>(i));
    series.y.push_back(counts[i]);
  }
  return series;
}

std::string lengths_figure(const std::vector<PairLength>& lengths) {
  const LineChart chart{.title = "Lengths of the training pairs",
                        .x_title = "pieces, with the end of sentence",
                        .y_title = "pairs",
                        .series = {length_series(lengths, &PairLength::source, "source", 0),
                                   length_series(lengths, &PairLength::target, "target", 1)},
                        .y_low = 0};
  return "<div class=\"charts\"><figure data-x=\"pieces\">" +
         svg_element(draw(chart), chart.title) + "<output></output></figure></div>\n";
}

std::string data_section(const TrainingFacts& facts) {
  int64_t source = 0, target = 0;
  for (const auto& length : facts.lengths) {
    source += length.source;
    target += length.target;
  }
  const auto mean = [&](int64_t sum) {
    return grouped(static_cast<double>(sum) / static_cast<double>(facts.lengths.size()), 1);
  };
  const auto& pairs = facts.pairs;
  std::string rows;
  if (pairs.read > 0) {
    rows += row("pairs read", grouped_count(pairs.read)) + row("kept", grouped_count(pairs.kept)) +
            row("dropped, a side was empty", grouped_count(pairs.dropped_empty)) +
            row(fmt::format("dropped, longer than {} pieces", facts.config.data.max_length),
                grouped_count(pairs.dropped_too_long));
  } else {
    rows += row("pairs", grouped_count(std::ssize(facts.lengths)));
  }
  rows += row("mean source length", mean(source) + " pieces") +
          row("mean target length", mean(target) + " pieces") +
          row("batches an epoch", grouped_count(facts.batches_an_epoch)) +
          row("padding", grouped(100 * facts.padding_share, 1) + " %");
  return "<section><h2>Data</h2><div class=\"columns\"><table>\n" + rows + "</table>\n" +
         lengths_figure(facts.lengths) + "</div></section>\n";
}

/// Every key, those that differ from the default in bold.
std::string config_section(Config config) {
  Config defaults;
  const auto fields = fields_of(config), default_fields = fields_of(defaults);
  std::string tables, section;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].is_internal) continue;
    const auto dot = fields[i].key.find('.');
    const auto name = fields[i].key.substr(0, dot);
    if (name != section) {
      tables += (section.empty() ? "" : "</table></div>\n") +
                fmt::format("<div><h3>{}</h3><table>\n", escaped(name));
      section = name;
    }
    const Json value = fields[i].write();
    const bool changed = value != default_fields[i].write();
    tables +=
        row(fields[i].key.substr(dot + 1),
            value.is_string() ? value.get<std::string>() : value.dump(), changed ? "changed" : "");
  }
  return "<section><h2>Configuration</h2>\n<p class=\"note\">Bold where it differs from the "
         "default.</p>\n<div class=\"columns\">" +
         tables + "</table></div></div></section>\n";
}

std::string state_text(const TrainingFacts& facts, const TrainingProgress& progress) {
  const auto done = fmt::format("update {} of {}, epoch {} of {}", grouped_count(progress.updates),
                                grouped_count(facts.expected_updates),
                                std::min(progress.epoch + 1, facts.config.training.num_epochs),
                                facts.config.training.num_epochs);
  switch (progress.state) {
    case State::kRunning:
      return fmt::format(
          "<span class=\"state running\">running</span><span>{}</span><span>{}</span>", done,
          progress.left.count() > 0 ? to_text(progress.left) + " left" : "");
    case State::kStopped:
      return fmt::format(
          "<span class=\"state stopped\">stopped</span><span>{}</span><span>--resume goes "
          "on</span>",
          done);
    default:
      return fmt::format("<span class=\"state finished\">finished</span><span>{} updates</span>",
                         grouped_count(progress.updates));
  }
}

std::string written_text(State state) {
  const auto now = fmt::gmtime(std::time(nullptr));
  const auto stamp = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now);
  const auto text = fmt::format("written {:%Y-%m-%d %H:%M:%S} UTC", now);
  if (state != State::kRunning) return fmt::format("<span class=\"note\">{}</span>", text);
  return fmt::format(
      "<time class=\"note\" id=\"written\" datetime=\"{}\">{}</time>"
      "<label class=\"note\"><input type=\"checkbox\" id=\"follow\" checked> keep up to "
      "date</label>",
      stamp, text);
}

std::string header(const TrainingFacts& facts, const TrainingProgress& progress) {
  const auto result =
      progress.result.empty() ? "" : fmt::format("<p>{}</p>\n", escaped(progress.result));
  return fmt::format(
      "<header><h1>Training of {}</h1>\n<div class=\"status\">{}{}</div>\n<progress max=\"{}\" "
      "value=\"{}\" aria-label=\"updates\"></progress>\n{}</header>\n",
      escaped(facts.model), state_text(facts, progress), written_text(progress.state),
      std::max<int64_t>(1, facts.expected_updates), progress.updates, result);
}

std::string tiles(const TrainingFacts& facts, const RunMetrics& run) {
  std::string all;
  const auto best = std::ranges::max_element(run.validations, {}, &ValidationMetrics::bleu);
  if (best != run.validations.end()) {
    all +=
        tile(grouped(best->bleu, 2), "best validation BLEU, update " + grouped_count(best->update));
    const auto& last = run.validations.back();
    all += tile(grouped(last.perplexity, 3),
                "validation perplexity, update " + grouped_count(last.update));
  }
  if (!run.updates.empty()) {
    all += tile(grouped(run.updates.back().loss, 3),
                "training loss, update " + grouped_count(run.updates.back().update));
    all += tile(grouped(run.updates.back().tokens_per_second), "target pieces a second");
  }
  return "<section class=\"tiles\">" + all + tile(grouped_count(facts.parameters), "parameters") +
         "</section>\n<p class=\"note\">" + escaped(facts.compute) + "</p>\n";
}

}  // namespace

TrainingReport::TrainingReport(std::filesystem::path training_folder, TrainingFacts facts)
    : folder_(std::move(training_folder)),
      facts_(std::move(facts)),
      facts_section_(data_section(facts_) + config_section(facts_.config)) {
  facts_.lengths = std::vector<PairLength>();  // gives the memory back
}

void TrainingReport::update(const TrainingProgress& progress) {
  const auto start = std::chrono::steady_clock::now();
  if (progress.state == State::kRunning && start < not_before_) return;
  const auto run = read_metrics(folder_ / "metrics.jsonl", facts_.model);
  const std::string body = "<main>" + header(facts_, progress) + tiles(facts_, run) +
                           charts_section({run}) + validations_section(run) + facts_section_ +
                           "</main>\n";
  try {
    write_file_atomically(path(), html_file({.title = "Training of " + facts_.model,
                                             .body = body,
                                             .scripts = {kChartsJs, kRefreshJs}}));
  } catch (const RunError& error) {
    spdlog::warn("{}", error.what());
  }
  const auto end = std::chrono::steady_clock::now();
  not_before_ = end + 50 * (end - start);
}

}  // namespace xformer
