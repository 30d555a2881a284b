#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <set>

#include "commands/compute.h"
#include "commands/plot.h"
#include "commands/plot_output.h"
#include "model/embeddings.h"
#include "model/masks.h"
#include "report/heat_map.h"
#include "report/line_chart.h"
#include "runtime/error.h"
#include "text/tokenizer.h"
#include "train/label_smoothing.h"

namespace xformer {
namespace {

std::vector<float> values_of(const torch::Tensor& tensor) {
  const auto flat = tensor.to(torch::kFloat32).contiguous().cpu();
  const float* first = flat.const_data_ptr<float>();
  return {first, first + flat.numel()};
}

/// mask (rows, columns) bool: what may be attended to is dark.
HeatMap mask_map(std::string title, const torch::Tensor& mask) {
  const int64_t rows = mask.size(0), columns = mask.size(1);
  const double cell = std::clamp(320.0 / static_cast<double>(columns), 3.0, 24.0);
  return {.title = std::move(title),
          .x_title = "position attended to",
          .y_title = "position that attends",
          .columns = numbered(columns, columns > 12 ? 5 : 1),
          .rows = numbered(rows, rows > 12 ? 5 : 1),
          .values = values_of(mask),
          .cell_width = cell,
          .cell_height = cell};
}

/// encoding (length, d_model), as it is added to the embeddings.
HeatMap position_map(const torch::Tensor& encoding) {
  const int64_t length = encoding.size(0), d_model = encoding.size(1);
  return {.title = "Positional encoding",
          .x_title = "position",
          .y_title = "dimension",
          .columns = numbered(length, std::max<int64_t>(1, (length + 9) / 10)),
          .rows = numbered(d_model, std::max<int64_t>(1, (d_model + 9) / 10)),
          .values = values_of(encoding.t()),
          .cell_width = std::clamp(560.0 / static_cast<double>(length), 1.0, 20.0),
          .cell_height = std::clamp(240.0 / static_cast<double>(d_model), 1.0, 14.0),
          .scale_title = "value"};
}

/// Two sines with their cosines: dimensions 4 to 7, as The Annotated Transformer shows, or the
/// last.
LineChart position_curves(const torch::Tensor& encoding) {
  const int64_t d_model = encoding.size(1);
  LineChart chart{.title = "Some of its dimensions",
                  .x_title = "position",
                  .y_title = "value",
                  .series = {},
                  .width = 660,
                  .height = 300};
  const int64_t first = std::clamp<int64_t>(d_model - 4, 0, 4);
  for (int64_t dimension = first; dimension < std::min(d_model, first + 4); ++dimension) {
    Series series{.name = fmt::format("dimension {}", dimension),
                  .x = {},
                  .y = {},
                  .colour = static_cast<size_t>(dimension - first)};
    for (float value : values_of(encoding.select(1, dimension))) {
      series.x.push_back(static_cast<double>(series.x.size()));
      series.y.push_back(value);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// The distributions that the loss compares a model with: the loss is linear in the
/// log-probabilities and has them, negated, as its gradient.
HeatMap smoothed_targets(double smoothing) {
  constexpr int64_t kWords = 5;
  const auto target = torch::tensor({2, 1, kPad, 3, 3}, torch::kInt64);
  auto log_probs = torch::full({target.size(0), kWords}, -1.0, torch::kFloat64).requires_grad_();
  label_smoothed_loss(log_probs, target, smoothing, kPad).backward();
  return {.title = fmt::format("Smoothed targets, smoothing {:g}", smoothing),
          .x_title = "word of the vocabulary",
          .y_title = "target",
          .columns = {"0 (pad)", "1", "2", "3", "4"},
          .rows = {"2", "1", "0 (pad)", "3", "3"},
          .values = values_of(-log_probs.grad()),
          .cell_width = 44,
          .cell_height = 44,
          .scale_title = "probability"};
}

/// What the loss says to a model that gives the right word more and more, and three others the
/// rest.
Series confidence_curve(double smoothing) {
  constexpr int64_t kWords = 5, kTarget = 1;
  constexpr double kNearlyNothing = 1e-30;  // for padding, which has no share
  Series series{.name = fmt::format("smoothing {:g}", smoothing), .x = {}, .y = {}};
  for (int percent = 10; percent < 100; ++percent) {
    const double right = percent / 100.0;
    auto probs = torch::full({1, kWords}, (1 - right) / 3, torch::kFloat64);
    probs[0][kPad] = kNearlyNothing;
    probs[0][kTarget] = right;
    const auto target = torch::tensor({kTarget}, torch::kInt64);
    series.x.push_back(right);
    series.y.push_back(label_smoothed_loss(probs.log(), target, smoothing, kPad).item<double>());
  }
  return series;
}

LineChart confidence_chart(double smoothing) {
  LineChart chart{.title = "Loss of a model that grows more confident",
                  .x_title = "probability of the right word",
                  .y_title = "loss (nats)",
                  .series = {},
                  .y_low = 0,
                  .width = 420,
                  .height = 320};
  for (double value : std::set{0.0, 0.1, smoothing}) {
    chart.series.push_back(confidence_curve(value));
    chart.series.back().colour = chart.series.size() - 1;
  }
  return chart;
}

}  // namespace

int run_plot_masks(const PlotMasksOptions& options) {
  picture_format(options.output, {".svg"});
  start_compute(options.common);
  // A sentence in a batch of longer ones: its last quarter is padding.
  auto ids = torch::full({1, options.size}, int64_t{kEos}, torch::kInt64);
  ids.slice(1, options.size - options.size / 4).fill_(kPad);
  const auto drawing = arranged(
      {draw(mask_map("subsequent_mask: dark may be attended to", subsequent_mask(options.size)[0])),
       draw(mask_map("target_mask of a sentence with padding", target_mask(ids, kPad)[0]))},
      2);
  write_picture(options.output, svg_file(drawing, "Masks"));
  return 0;
}

int run_plot_positions(const PlotPositionsOptions& options) {
  picture_format(options.output, {".svg"});
  if (options.d_model % 2 != 0) {
    throw UserError(fmt::format("--d-model is {}, must be even", options.d_model));
  }
  start_compute(options.common);
  const auto encoding = positional_encoding(options.length, options.d_model);
  const auto drawing = arranged({draw(position_map(encoding)), draw(position_curves(encoding))}, 1);
  write_picture(options.output, svg_file(drawing, "Positional encoding"));
  return 0;
}

int run_plot_smoothing(const PlotSmoothingOptions& options) {
  picture_format(options.output, {".svg"});
  start_compute(options.common);
  const auto drawing = arranged(
      {draw(smoothed_targets(options.smoothing)), draw(confidence_chart(options.smoothing))}, 2);
  write_picture(options.output, svg_file(drawing, "Label smoothing"));
  return 0;
}

}  // namespace xformer
