#include "commands/info.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <fmt/core.h>
#include <torch/version.h>

#include "commands/compute.h"
#include "commands/model_description.h"
#include "formats/stored_model.h"
#include "runtime/line_writer.h"
#include "train/precision.h"

namespace xformer {
namespace {

std::string describe_machine(torch::Device device) {
  const auto precision = resolve_precision(Precision::kAuto, device);
  return fmt::format(
      "LibTorch {}\nCPU kernels {}\nthreads {}\nCUDA devices {}\ndevice {}\nprecision auto means "
      "{}\n",
      TORCH_VERSION, at::get_cpu_capability(), at::get_num_threads(), torch::cuda::device_count(),
      device.str(), name_of(precision));
}

std::string describe_model(const std::string& folder) {
  const auto loaded = load_model(folder, torch::kCPU);
  return fmt::format("\nmodel {}\n{}{}\n", folder, describe(loaded), to_json(loaded.config));
}

}  // namespace

int run_info(const InfoOptions& options) {
  const auto device = start_compute(options.common);
  std::string text = fmt::format("xformer {}\n", XFORMER_VERSION) + describe_machine(device);
  if (!options.model.empty()) text += describe_model(options.model);
  LineWriter().write(text);
  return 0;
}

}  // namespace xformer
