// What the program without LibTorch leaves to xformer-torch: see runtime/libtorch_program.h.
#include <filesystem>

#include "commands/average.h"
#include "commands/export.h"
#include "commands/gpu_workers.h"
#include "commands/import.h"
#include "commands/info.h"
#include "commands/plot.h"
#include "commands/train.h"
#include "runtime/libtorch_program.h"

namespace xformer {
namespace {

/// Whether there may be a GPU that this build could use. Which, LibTorch alone knows.
bool may_have_gpu() {
#ifdef XFORMER_CUDA
  for (const char* device : {"/dev/nvidiactl", "/dev/dxg", "/dev/kfd"}) {
    if (std::filesystem::exists(device)) return true;
  }
#endif
  return false;
}

}  // namespace

int run_train(const TrainOptions&) {
  throw NeedsLibTorch();
}

int run_average(const AverageOptions&) {
  throw NeedsLibTorch();
}

int run_export(const ExportOptions&) {
  throw NeedsLibTorch();
}

int run_import(const ImportOptions&) {
  throw NeedsLibTorch();
}

int run_info(const InfoOptions&) {
  throw NeedsLibTorch();
}

int run_plot_attention(const PlotAttentionOptions&) {
  throw NeedsLibTorch();
}

int run_plot_masks(const PlotMasksOptions&) {
  throw NeedsLibTorch();
}

int run_plot_positions(const PlotPositionsOptions&) {
  throw NeedsLibTorch();
}

int run_plot_schedule(const PlotScheduleOptions&) {
  throw NeedsLibTorch();
}

int run_plot_smoothing(const PlotSmoothingOptions&) {
  throw NeedsLibTorch();
}

bool runs_on_gpu(const CommonOptions& common) {
  if (common.device == "cpu" || (common.device == "auto" && !may_have_gpu())) return false;
  throw NeedsLibTorch();
}

std::vector<std::unique_ptr<StepDecoder>> gpu_workers(const ModelDescription&,
                                                      const DecodingOptions&,
                                                      const CommonOptions&) {
  throw NeedsLibTorch();
}

}  // namespace xformer
