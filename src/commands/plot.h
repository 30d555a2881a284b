// xformer plot: pictures of what a model is, does and did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "commands/common.h"
#include "commands/decoding.h"

namespace xformer {

struct PlotAttentionOptions {
  CommonOptions common;
  DecodingOptions decoding;               ///< for translations that are not given
  std::string model;                      ///< empty: $XFORMER_MODEL, else ./model
  std::vector<std::string> sentences;     ///< sources; none: those of the file
  std::vector<std::string> translations;  ///< one for each sentence; none: the model translates
  std::string source, target;             ///< files, line for line; no source: standard input
  std::string kind = "decoder-source";    ///< or encoder-self, decoder-self
  int64_t layer = 0;                      ///< from 1; 0: the last
  int64_t head = 0;                       ///< from 1; 0: the mean of all
  std::string output = "attention.html";  ///< or .svg
};

struct PlotMasksOptions {
  CommonOptions common;
  int64_t size = 20;  ///< positions
  std::string output = "masks.svg";
};

struct PlotPositionsOptions {
  CommonOptions common;
  int64_t d_model = 20, length = 100;
  std::string output = "positions.svg";
};

struct PlotScheduleOptions {
  CommonOptions common;
  std::vector<std::string> configs;  ///< files, or model folders; none: the paper's settings
  int64_t updates = 0;               ///< 0: two and a half times the longest warm-up
  std::string output = "schedule.svg";
};

struct PlotSmoothingOptions {
  CommonOptions common;
  double smoothing = 0.4;
  std::string output = "smoothing.svg";
};

struct PlotTrainingOptions {
  CommonOptions common;
  std::vector<std::string> runs;         ///< model folders or metrics.jsonl files
  std::string output = "training.html";  ///< or .svg
};

// Each writes its picture, prints the name of the file on stdout, and returns the exit status.
// Each throws UserError for options that do not go together, before any work.
int run_plot_attention(const PlotAttentionOptions& options);
int run_plot_masks(const PlotMasksOptions& options);
int run_plot_positions(const PlotPositionsOptions& options);
int run_plot_schedule(const PlotScheduleOptions& options);
int run_plot_smoothing(const PlotSmoothingOptions& options);
int run_plot_training(const PlotTrainingOptions& options);

}  // namespace xformer
