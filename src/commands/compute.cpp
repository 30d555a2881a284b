#include "commands/compute.h"

#include <ATen/Parallel.h>
#include <malloc.h>

#include <charconv>

#include "runtime/error.h"
#include "runtime/processors.h"

namespace xformer {
namespace {

torch::Device cuda_device(const std::string& name) {
  const auto count = static_cast<int64_t>(torch::cuda::device_count());
  int64_t index = 0;
  if (name.size() > 4) {
    const char* end = name.data() + name.size();
    auto [rest, error] = std::from_chars(name.data() + 5, end, index);
    if (error != std::errc() || rest != end || index < 0) {
      throw UserError("--device is \"" + name + "\", must be auto, cpu, cuda or cuda:N");
    }
  }
  if (index >= count) {
    throw UserError("--device is \"" + name + "\", but LibTorch finds " + std::to_string(count) +
                    " CUDA devices here; cpu and auto always work");
  }
  return {torch::kCUDA, static_cast<torch::DeviceIndex>(index)};
}

torch::Device choose_device(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  if (name == "cuda" || name.starts_with("cuda:")) return cuda_device(name);
  if (name != "auto") {
    throw UserError("--device is \"" + name + "\", must be auto, cpu, cuda or cuda:N");
  }
  return torch::cuda::is_available() ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
}

/// Lets freed memory stay with the process. By default large blocks go back to the system at once,
/// and each new tensor pays for its pages again.
void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kLargest = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
#endif
}

}  // namespace

torch::Device start_compute(const CommonOptions& options) {
  keep_freed_memory();
  at::set_num_threads(static_cast<int>(threads_or_default(options.threads)));
  return choose_device(options.device);
}

}  // namespace xformer
