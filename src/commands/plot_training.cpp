#include <algorithm>
#include <filesystem>

#include "commands/plot.h"
#include "commands/plot_output.h"
#include "report/metrics.h"
#include "report/training_page.h"
#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

/// A run is called by its folder, in full where two would be called alike.
std::vector<std::string> names_of(const std::vector<std::string>& runs) {
  std::vector<std::string> names;
  for (const auto& run : runs) {
    auto folder = fs::absolute(run).lexically_normal();
    if (folder.filename() == "metrics.jsonl") folder = folder.parent_path();
    if (folder.filename() == "training" || !folder.has_filename()) folder = folder.parent_path();
    names.push_back(folder.filename().string());
  }
  std::vector<std::string> unique = names;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (std::ranges::count(names, names[i]) > 1) unique[i] = runs[i];
  }
  return unique;
}

}  // namespace

int run_plot_training(const PlotTrainingOptions& options) {
  const auto format = picture_format(options.output, {".html", ".svg"});
  const auto names = names_of(options.runs);
  std::vector<RunMetrics> runs;
  for (size_t i = 0; i < names.size(); ++i) {
    const fs::path run = options.runs[i];
    const auto file = fs::is_directory(run) ? run / "training" / "metrics.jsonl" : run;
    runs.push_back(read_metrics(file, names[i]));
    if (runs.back().updates.empty() && runs.back().validations.empty()) {
      throw UserError(file.string() + ": holds no line of metrics yet");
    }
  }
  write_picture(options.output, format == ".html"
                                    ? training_page(runs)
                                    : svg_file(arranged(training_charts(runs), 2), "Training"));
  return 0;
}

}  // namespace xformer
