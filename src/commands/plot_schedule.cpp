#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands/plot.h"
#include "commands/plot_output.h"
#include "config/config.h"
#include "report/line_chart.h"
#include "runtime/atomic_file.h"
#include "train/noam_schedule.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

struct Schedule {
  std::string name;
  int64_t d_model = 0;
  double base_lr = 1;
  int64_t warmup = 0;
};

Schedule schedule_of(const std::string& path) {
  const bool folder = fs::is_directory(path);
  const fs::path file = folder ? fs::path(path) / "config.json" : fs::path(path);
  const Config config =
      folder ? parse_config(read_file(file), file.string()) : load_config(file, {});
  const auto& training = config.training;
  // "model/" ends in an empty name.
  const auto name = folder ? fs::absolute(file).parent_path().filename() : file.stem();
  return {.name = fmt::format("{}: d_model {}, warm-up {}", name.string(), config.model.d_model,
                              training.warmup),
          .d_model = config.model.d_model,
          .base_lr = training.base_lr,
          .warmup = training.warmup};
}

/// Those that The Annotated Transformer draws.
std::vector<Schedule> annotated_schedules() {
  std::vector<Schedule> schedules;
  for (const auto& [d_model, warmup] : {std::pair(512, 4000), {512, 8000}, {256, 4000}}) {
    schedules.push_back({.name = fmt::format("d_model {}, warm-up {}", d_model, warmup),
                         .d_model = d_model,
                         .base_lr = 1,
                         .warmup = warmup});
  }
  return schedules;
}

/// Enough points for a smooth curve, the peak among them.
Series curve_of(const Schedule& schedule, int64_t updates) {
  constexpr int64_t kPoints = 400;
  std::vector<int64_t> places{1, updates};
  if (schedule.warmup < updates) places.push_back(schedule.warmup);
  for (int64_t i = 1; i < kPoints; ++i)
    places.push_back(std::max<int64_t>(1, updates * i / kPoints));
  std::ranges::sort(places);
  const auto surplus = std::ranges::unique(places);
  places.erase(surplus.begin(), surplus.end());
  Series series{.name = schedule.name, .x = {}, .y = {}};
  for (int64_t update : places) {
    series.x.push_back(static_cast<double>(update));
    series.y.push_back(noam_rate(update, schedule.d_model, schedule.base_lr, schedule.warmup));
  }
  return series;
}

}  // namespace

int run_plot_schedule(const PlotScheduleOptions& options) {
  picture_format(options.output, {".svg"});
  std::vector<Schedule> schedules;
  for (const auto& config : options.configs) schedules.push_back(schedule_of(config));
  if (schedules.empty()) schedules = annotated_schedules();
  int64_t longest = 0;
  for (const auto& schedule : schedules) longest = std::max(longest, schedule.warmup);
  const int64_t updates = options.updates > 0 ? options.updates : 5 * longest / 2;

  LineChart chart{.title = "Learning rate",
                  .x_title = "update",
                  .y_title = "learning rate",
                  .series = {},
                  .x_low = 0,
                  .y_low = 0,
                  .width = 600,
                  .height = 360};
  for (const auto& schedule : schedules) {
    chart.series.push_back(curve_of(schedule, updates));
    chart.series.back().colour = chart.series.size() - 1;
  }
  write_picture(options.output, svg_file(draw(chart), chart.title));
  return 0;
}

}  // namespace xformer
